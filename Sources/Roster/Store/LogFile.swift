#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The log of a database as it lies beside it. https://www.sqlite.org/fileformat2.html#the_write_ahead_log
struct LogFile {
  let size: Int64
  /// Up to the last commit, by the marks that each frame shares with the log's header.
  private(set) var frames = 0
  /// The pages that they are of, by their numbers from 1.
  private(set) var pages: Set<Int> = []

  /// Nil where there is no log. No lock is ever held on it, so that it may be opened beside SQLite.
  init?(_ path: String, pageSize: Int) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    size = Int64(status.st_size)
    guard let header = LogFile.bytes(descriptor, at: 0, count: 32) else { return }
    let marks = header[16..<24]
    let step = Int64(24 + pageSize)
    var offset: Int64 = 32
    var count = 0
    var uncommitted: [Int] = []
    while offset + step <= size, let frame = LogFile.bytes(descriptor, at: offset, count: 24) {
      guard frame[8..<16].elementsEqual(marks) else { break }
      count += 1
      uncommitted.append(frame.prefix(4).reduce(0) { $0 << 8 | Int($1) })
      // A frame that commits says how many pages the database has.
      if frame[4..<8].contains(where: { $0 != 0 }) {
        frames = count
        pages.formUnion(uncommitted)
        uncommitted = []
      }
      offset += step
    }
  }

  private static func bytes(_ descriptor: Int32, at offset: Int64, count: Int) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    return pread(descriptor, &bytes, count, off_t(offset)) == count ? bytes : nil
  }
}
