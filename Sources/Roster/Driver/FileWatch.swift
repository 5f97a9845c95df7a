import Dispatch
import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Tells of writes to a database file by anyone: its log, and the file itself where it is replaced.
///
/// It calls `written` for each, from a queue or thread of its own, and holds nothing else alive.
protocol FileWatch: Sendable {
  func stop()
  /// Looks whether the files are the ones that it watches. Called now and then, for what no event has told.
  func refresh()
}

#if os(Linux)
  /// A watch by inotify on the folder: the log may go and come again, and a file put in the place of another has its name.
  final class InotifyWatch: FileWatch {
    private let stopper: Guarded<Int32>

    /// Nil where the system has no more watches to give: then only the timer is left.
    init?(path: String, written: @escaping @Sendable () -> Void) {
      let url = URL(fileURLWithPath: path)
      // The flags are those of open(2) by other names.
      let descriptor = inotify_init1(O_CLOEXEC | O_NONBLOCK)
      guard descriptor >= 0 else { return nil }
      var ends: [Int32] = [-1, -1]
      let events = UInt32(bitPattern: IN_MODIFY | IN_CREATE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE)
      guard pipe(&ends) == 0, let stopped = ends.first, let stopper = ends.last,
        inotify_add_watch(descriptor, url.deletingLastPathComponent().path, events) >= 0
      else {
        for end in ends + [descriptor] where end >= 0 { close(end) }
        return nil
      }
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      self.stopper = Guarded(stopper)
      let names = [url.lastPathComponent, url.lastPathComponent + "-wal"].map { Array($0.utf8) }
      Thread.detachNewThread {
        Thread.current.name = "Roster.FileWatch"
        InotifyWatch.run(descriptor, stopped, names, written)
        close(descriptor)
        close(stopped)
      }
    }

    deinit { stop() }

    /// The folder tells of every file in it.
    func refresh() {}

    /// The thread ends by the end of the pipe that it also waits for.
    func stop() {
      stopper.withLock { stopper in
        if stopper >= 0 { close(stopper) }
        stopper = -1
      }
    }

    private static func run(_ descriptor: Int32, _ stopped: Int32, _ names: [[UInt8]], _ written: () -> Void) {
      var buffer = [UInt8](repeating: 0, count: 16_384)
      while true {
        var polled = [
          pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
          pollfd(fd: stopped, events: Int16(POLLIN), revents: 0),
        ]
        guard poll(&polled, 2, -1) > 0 else {
          if errno == EINTR { continue }
          return
        }
        if polled[1].revents != 0 { return }
        let count = read(descriptor, &buffer, buffer.count)
        if count > 0, concerns(buffer[..<count], names) { written() }
      }
    }

    /// Whether one of the events is of a file with one of the names. Each has a head of 16 bytes, of which the last four
    /// are the length of the name that follows, filled up with NULs. https://man7.org/linux/man-pages/man7/inotify.7.html
    private static func concerns(_ events: ArraySlice<UInt8>, _ names: [[UInt8]]) -> Bool {
      var rest = events
      while rest.count >= 16 {
        let head = rest.prefix(16)
        let length = head.suffix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
        let mask = head.dropFirst(4).prefix(4).reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        // Where events were lost, any may have been among them.
        if mask & UInt32(bitPattern: IN_Q_OVERFLOW) != 0 { return true }
        let name = rest.dropFirst(16).prefix(length).prefix { $0 != 0 }
        if names.contains(where: { $0.elementsEqual(name) }) { return true }
        rest = rest.dropFirst(16 + length)
      }
      return false
    }
  }
#endif

#if canImport(Darwin)
  /// A watch by the kernel's events on the log and on the folder, where the log may come and go.
  ///
  /// An event is of a file and not of a name: where the log is another file, that one is watched from then on. The database
  /// itself is never opened: closing a descriptor of it would release the locks that SQLite holds on it in this process.
  /// https://www.sqlite.org/howtocorrupt.html#_posix_advisory_locks_canceled_by_a_separate_thread_doing_close_
  ///
  /// Unchecked: all that changes is touched on the queue alone, and in the end by `deinit`, when nobody else can.
  final class KernelWatch: FileWatch, @unchecked Sendable {
    private let path: String
    private let written: @Sendable () -> Void
    private let queue = DispatchQueue(label: "Roster.FileWatch")
    private var folder: (any DispatchSourceFileSystemObject)?
    private var log: (any DispatchSourceFileSystemObject)?
    /// The number that the system knows the watched log by.
    private var logNumber: UInt64?
    private var isStopped = false

    init(path: String, written: @escaping @Sendable () -> Void) {
      self.path = path + "-wal"
      self.written = written
      queue.sync {
        // Files that are made, renamed or deleted are writes to the folder.
        let descriptor = open(URL(fileURLWithPath: path).deletingLastPathComponent().path, O_EVTONLY | O_CLOEXEC)
        folder = watch(descriptor, [.write]) { watch in
          watch.follow()
          watch.written()
        }
        follow()
      }
    }

    deinit {
      folder?.cancel()
      log?.cancel()
    }

    func stop() {
      queue.async { [self] in
        isStopped = true
        folder?.cancel()
        log?.cancel()
      }
    }

    func refresh() {
      queue.async { [weak self] in
        guard let self else { return }
        if follow() { written() }
      }
    }

    /// Nil for a descriptor that could not be opened. The descriptor is closed when the source is cancelled.
    private func watch(
      _ descriptor: Int32, _ events: DispatchSource.FileSystemEvent,
      _ happened: @escaping @Sendable (KernelWatch) -> Void
    ) -> (any DispatchSourceFileSystemObject)? {
      guard descriptor >= 0 else { return nil }
      let source = DispatchSource.makeFileSystemObjectSource(
        fileDescriptor: descriptor, eventMask: events, queue: queue)
      source.setEventHandler { [weak self] in
        guard let self, !isStopped else { return }
        happened(self)
      }
      source.setCancelHandler { close(descriptor) }
      source.activate()
      return source
    }

    /// Watches the file that has the log's name now. True where it is another than before.
    @discardableResult
    private func follow() -> Bool {
      var status = stat()
      let present = stat(path, &status) == 0 ? UInt64(status.st_ino) : nil
      guard !isStopped, present != logNumber else { return false }
      log?.cancel()
      (log, logNumber) = (nil, nil)
      let descriptor = open(path, O_EVTONLY | O_CLOEXEC)
      // Of the file that was opened, which may be another by now.
      guard descriptor >= 0, fstat(descriptor, &status) == 0 else {
        if descriptor >= 0 { close(descriptor) }
        return true
      }
      logNumber = UInt64(status.st_ino)
      log = watch(descriptor, [.write, .extend, .delete, .rename]) { watch in
        watch.follow()
        watch.written()
      }
      return true
    }
  }
#endif

/// A watch by the means that the system has; nil where it has none to give.
func watchFile(at path: String, written: @escaping @Sendable () -> Void) -> (any FileWatch)? {
  #if os(Linux)
    InotifyWatch(path: path, written: written)
  #elseif canImport(Darwin)
    KernelWatch(path: path, written: written)
  #else
    nil
  #endif
}
