/// The leaf of each row of a sequence, by the row's key.
///
/// It is a hash table made of many small ones, the buckets, so that a change after a copy copies one of them and not all:
/// Litwin, "Linear hashing", 1980. With each 256 keys one more bucket comes, which takes its keys from one other, so that
/// no insertion ever has to move them all. A key is in the bucket that its hash tells, and nowhere else.
struct LeafMap: Sendable {
  /// How many keys there are for each bucket. 128 to 512 measure the same: fewer make more buckets to retain, more make a
  /// longer copy of one.
  static let keysPerBucket = 256

  private(set) var buckets: PagedArray<LeafBucket>
  private(set) var count = 0
  /// The buckets were 2^level when the present round of splits began.
  private var level: Int

  /// - Complexity: O(n).
  init(minimumCapacity: Int = 0) {
    let wanted = max(minimumCapacity / LeafMap.keysPerBucket, 1)
    level = Int.bitWidth - 1 - wanted.leadingZeroBitCount
    buckets = PagedArray()
    // Those that the present round has split get half as many keys as those that it hasn't.
    for index in 0..<wanted {
      let isWhole = index >= wanted - (1 << level) && index < 1 << level
      buckets.append(LeafBucket(minimumCapacity: minimumCapacity >> (isWhole ? level : level + 1)))
    }
  }

  /// - Complexity: O(1) on average.
  subscript(key: Int64) -> Int? { buckets[bucket(of: key)][key] }

  /// Notes the leaf of a key.
  ///
  /// - Complexity: O(1) on average, O(256) for one in so many.
  mutating func set(_ leaf: Int, for key: Int64) {
    guard buckets[bucket(of: key)].set(leaf, for: key) else { return }
    count += 1
    if count > buckets.count * LeafMap.keysPerBucket { split() }
  }

  /// - Complexity: O(1) on average, O(256) for one in so many.
  mutating func remove(_ key: Int64) {
    guard buckets[bucket(of: key)].remove(key) else { return }
    count -= 1
    // At half of what makes it split, so that no key that comes and goes makes it split and merge again and again.
    if count < (buckets.count - 1) * LeafMap.keysPerBucket / 2 { merge() }
  }

  private func bucket(of key: Int64) -> Int {
    // Keys that follow each other are often neighbours in the sequence as well. 16 of them share a bucket: a sequence
    // of 1,000,000 rows in the order of their keys is built in three quarters of the time.
    let hash = Int(truncatingIfNeeded: LeafBucket.hash(key >> 4))
    let index = hash & ((2 << level) - 1)
    return index < buckets.count ? index : hash & ((1 << level) - 1)
  }

  /// Adds a bucket, with those keys of one other that now belong there.
  private mutating func split() {
    let source = buckets.count - (1 << level)
    let old = buckets[source]
    buckets[source] = LeafBucket(minimumCapacity: old.count / 2)
    buckets.append(LeafBucket(minimumCapacity: old.count / 2))
    if buckets.count == 2 << level { level += 1 }
    distribute(old)
  }

  /// Takes the last bucket away and puts its keys back to where they came from.
  private mutating func merge() {
    guard let last = buckets.popLast() else { return }
    if buckets.count < 1 << level { level -= 1 }
    distribute(last)
  }

  private mutating func distribute(_ bucket: LeafBucket) {
    bucket.forEach { key, leaf in _ = buckets[self.bucket(of: key)].set(leaf, for: key) }
  }
}

/// A small hash table with open addressing.
///
/// A key stands in the first slot that was free from where its hash puts it, with no free slot in between.
struct LeafBucket: Sendable {
  /// Twelve bytes: with the key in one piece it would be sixteen, and a live list a twentieth larger.
  private struct Slot: Sendable {
    private let low: UInt32
    private let high: Int32
    /// -1 where the slot is free.
    let leaf: Int32

    var key: Int64 { Int64(high) << 32 | Int64(low) }

    init(key: Int64, leaf: Int32) {
      low = UInt32(truncatingIfNeeded: key)
      high = Int32(truncatingIfNeeded: key >> 32)
      self.leaf = leaf
    }

    static let free = Slot(key: 0, leaf: -1)
  }

  private var slots: ContiguousArray<Slot>
  private(set) var count = 0

  init(minimumCapacity: Int) {
    slots = ContiguousArray(repeating: .free, count: LeafBucket.size(for: minimumCapacity))
  }

  private static func fits(_ count: Int, in slots: Int) -> Bool { count * 8 <= slots * 7 }

  /// How many slots there are for so many keys: eight, or a power of two and up to three quarters of it besides. With
  /// powers alone half of the slots were free on average.
  private static func size(for count: Int) -> Int {
    var size = 8
    while !fits(count, in: size) { size += (1 << (Int.bitWidth - 1 - size.leadingZeroBitCount)) / 4 }
    return size
  }

  /// SplitMix64's mixing of bits: each bit of the key changes each of the hash with an even chance.
  static func hash(_ key: Int64) -> UInt64 {
    var mixed = UInt64(bitPattern: key) &+ 0x9e37_79b9_7f4a_7c15
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }

  /// The upper half of the hash as a fraction of the slots, whose number need not be a power of two.
  private static func home(of key: Int64, in size: Int) -> Int {
    Int(truncatingIfNeeded: ((hash(key) >> 32) &* UInt64(size)) >> 32)
  }

  /// Where a key is, or else where it would be put.
  private func slot(of key: Int64) -> Int {
    slots.withUnsafeBufferPointer { slots in
      var index = LeafBucket.home(of: key, in: slots.count)
      while slots[index].leaf >= 0, slots[index].key != key {
        index += 1
        if index == slots.count { index = 0 }
      }
      return index
    }
  }

  subscript(key: Int64) -> Int? {
    let leaf = slots[slot(of: key)].leaf
    return leaf < 0 ? nil : Int(leaf)
  }

  /// Notes the leaf of a key. True where the key is new.
  mutating func set(_ leaf: Int, for key: Int64) -> Bool {
    let entry = Slot(key: key, leaf: Int32(truncatingIfNeeded: leaf))
    let index = slot(of: key)
    if slots[index].leaf >= 0 {
      slots[index] = entry
      return false
    }
    count += 1
    if LeafBucket.fits(count, in: slots.count) {
      slots[index] = entry
    } else {
      let old = slots
      slots = ContiguousArray(repeating: .free, count: LeafBucket.size(for: count))
      for entry in old where entry.leaf >= 0 { slots[slot(of: entry.key)] = entry }
      slots[slot(of: key)] = entry
    }
    return true
  }

  /// True where the key was there.
  mutating func remove(_ key: Int64) -> Bool {
    var hole = slot(of: key)
    guard slots[hole].leaf >= 0 else { return false }
    count -= 1
    let size = slots.count
    func distance(from start: Int, to end: Int) -> Int { end >= start ? end - start : end - start + size }
    var next = hole + 1 == size ? 0 : hole + 1
    while slots[next].leaf >= 0 {
      // It moves up, unless its hash puts it behind the hole: Knuth, volume 3, 6.4, algorithm R.
      let home = LeafBucket.home(of: slots[next].key, in: size)
      if distance(from: home, to: next) >= distance(from: hole, to: next) {
        slots[hole] = slots[next]
        hole = next
      }
      next = next + 1 == size ? 0 : next + 1
    }
    slots[hole] = .free
    return true
  }

  func forEach(_ body: (_ key: Int64, _ leaf: Int) -> Void) {
    for slot in slots where slot.leaf >= 0 { body(slot.key, Int(slot.leaf)) }
  }
}

extension LeafMap {
  /// What is wrong: a key that a look-up doesn't find, or a count that is another.
  func checkInvariants() -> [String] {
    var faults: [String] = []
    var total = 0
    for index in 0..<buckets.count {
      var keys = 0
      buckets[index].forEach { key, leaf in
        keys += 1
        if bucket(of: key) != index || self[key] != leaf { faults.append("key \(key) isn't found in bucket \(index)") }
      }
      if buckets[index].count != keys { faults.append("\(buckets[index].count) for \(keys) keys in bucket \(index)") }
      total += keys
    }
    if count != total { faults.append("\(count) for \(total) keys") }
    if count > buckets.count * LeafMap.keysPerBucket { faults.append("\(count) keys in \(buckets.count) buckets") }
    if buckets.count >> level != 1 { faults.append("\(buckets.count) buckets at level \(level)") }
    return faults
  }
}
