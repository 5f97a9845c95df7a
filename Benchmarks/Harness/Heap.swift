import Foundation

/// What the program has of the allocator, to the byte: the same in each run, which the pages that the system has given it
/// are not.
enum Heap {
  /// The same once no other thread has anything to free any more: one that has read lets go a little after its caller goes on.
  static func settledBytesInUse() async throws -> Double {
    var last = -1.0
    var (repeated, tries) = (0, 0)
    while repeated < 3, tries < 200 {
      try await Task.sleep(for: .milliseconds(10))
      let now = try bytesInUse()
      // The report itself takes up some.
      repeated = abs(now - last) < 4096 ? repeated + 1 : 0
      last = now
      tries += 1
    }
    return last
  }

  static func bytesInUse() throws -> Double {
    #if canImport(Darwin)
      return Double(mstats().bytes_used)
    #else
      let report = try allocatorReport()
      // After the arenas, the sums of all: what the system gave, what of it lies free, and what was mapped by itself.
      guard let sums = report.components(separatedBy: "</heap>").last,
        let system = number("<system type=\"current\" size=\"", in: sums)
      else { throw BenchFailure("the allocator's report cannot be read") }
      let free = ["fast", "rest"].compactMap { kind in
        sums.range(of: "<total type=\"\(kind)\"").flatMap { number("size=\"", in: String(sums[$0.upperBound...])) }
      }
      let mapped = sums.range(of: "<total type=\"mmap\"").flatMap {
        number("size=\"", in: String(sums[$0.upperBound...]))
      }
      return system - free.reduce(0, +) + (mapped ?? 0)
    #endif
  }

  #if !canImport(Darwin)
    /// glibc's, which Swift's module of it leaves out.
    private static func allocatorReport() throws -> String {
      typealias Function = @convention(c) (CInt, UnsafeMutablePointer<FILE>?) -> CInt
      guard let symbol = dlsym(nil, "malloc_info") else { throw BenchFailure("the allocator tells no sizes here") }
      let malloc_info = unsafeBitCast(symbol, to: Function.self)
      guard let file = tmpfile() else { throw BenchFailure("no temporary file can be made") }
      defer { fclose(file) }
      guard malloc_info(0, file) == 0 else { throw BenchFailure("the allocator tells no sizes") }
      rewind(file)
      var bytes = [UInt8](repeating: 0, count: 1 << 20)
      return String(decoding: bytes[..<fread(&bytes, 1, bytes.count, file)], as: UTF8.self)
    }

    private static func number(_ before: String, in text: String) -> Double? {
      text.range(of: before).flatMap { range in Double(text[range.upperBound...].prefix { $0 != "\"" }) }
    }
  #endif
}
