// What the tests need another process for: one that is killed, one that competes for a file, one without rights.
import Foundation
import Roster

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Prints a line at once: the process may be killed at any time.
func say(_ line: String) {
  FileHandle.standardOutput.write(Data((line + "\n").utf8))
}

/// Gives up root's rights, for which permissions mean nothing. Without effect for anyone else.
func becomeNobody() throws {
  guard getuid() == 0 else { return }
  guard let nobody = getpwnam("nobody"), setgroups(0, nil) == 0, setgid(nobody.pointee.pw_gid) == 0,
    setuid(nobody.pointee.pw_uid) == 0
  else { throw POSIXError(.EPERM) }
}

/// A store that writes nothing by itself: not the time, either.
func cards(at url: URL) throws -> Store {
  var options = StoreOptions()
  options.changeLogAge = nil
  return try Store(at: url, options: options)
}

func run(_ command: String, _ url: URL, _ count: Int) throws {
  switch command {
  case "transactions": try Entry.writeTransactions(to: url)
  case "open":
    _ = readLine()
    let store = try Store(at: url, records: Entry.records, migrations: Entry.migrations)
    try store.close()
    say("opened")
  case "increments":
    _ = readLine()
    let store = try Store(at: url, records: Entry.records, migrations: Entry.migrations)
    for _ in 0..<count { try Entry.increment(store) }
    say("done")
  case "moves":
    _ = readLine()
    let store = try Store(at: url, records: Step.records, migrations: Step.migrations)
    say("added \(try Step.moveAndInsert(in: store, seconds: count))")
  case "visit":
    let store = try cards(at: url)
    _ = try store.read { try $0.fetch("SELECT name FROM card", as: String.self) }
    try? store.write { tx in
      try tx.execute("DELETE FROM card")
      throw POSIXError(.ECANCELED)
    }
    try store.close()
    say("done")
  case "insert":
    let store = try cards(at: url)
    for _ in 0..<count {
      let id = UUID().uuidString.lowercased()
      try store.write { _ = try $0.execute("INSERT INTO card (id, name) VALUES (\(id), \(id))") }
    }
    say("done")
  case "consume": try Mirror.hearForever(in: Mirror.store(at: url))
  case "index": try Page.rewriteForever(at: url)
  case "show":
    var options = StoreOptions()
    options.access = .readOnly
    let store = try Store(at: url, options: options)
    for text in try store.read({ try $0.fetch("SELECT text FROM note ORDER BY row_key", as: String.self) }) {
      say("text \(text)")
    }
  case "hold":
    let store = try Store(at: url)
    try store.write { _ = try $0.execute("INSERT INTO card (id, name) VALUES ('held', 'held')") }
    say("written")
    while true { sleep(60) }
  case "execute": try Raw.execute(at: url)
  case "churn": try Raw.openAndCloseOften(count, at: url)
  case "begin": try Raw.beginTransaction(at: url)
  case "inspect": try Raw.inspect(at: url)
  case "write":
    let store = try Store(at: url)
    try store.write { try $0.execute("DELETE FROM note") }
    say("written")
  default: throw POSIXError(.EINVAL)
  }
}

var arguments = Array(CommandLine.arguments.dropFirst())
do {
  if arguments.first == "--as-nobody" {
    arguments.removeFirst()
    try becomeNobody()
  }
  guard arguments.count >= 2 else { throw POSIXError(.EINVAL) }
  try run(
    arguments[0], URL(fileURLWithPath: arguments[1]), arguments.count > 2 ? Int(arguments[2]) ?? 0 : 0)
} catch let error as RosterError {
  say("error \(error.code): \(error)")
  exit(1)
} catch {
  say("failed: \(error)")
  exit(2)
}
