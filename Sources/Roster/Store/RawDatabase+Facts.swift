/// What a database file is like as a whole.
public struct RawFacts: Sendable, Hashable {
  /// The bytes of the main file.
  public let fileSize: Int64
  /// The bytes of the log beside it; nil where there is none.
  public let logSize: Int64?
  /// The pages of committed transactions that the log holds; some may be in the main file already. Nil without a log.
  public let logFrames: Int?
  /// How a transaction is made safe: `wal`, or else a rollback journal, as whoever writes chooses its kind.
  public let isInWALMode: Bool
  /// The bytes of a page.
  public let pageSize: Int
  /// The pages, with those that are only in the log.
  public let pageCount: Int
  /// The pages that nothing is in.
  public let freePages: Int
  /// How texts are encoded, such as `UTF-8`.
  public let encoding: String
  /// A number by which a program may mark its files.
  public let applicationID: Int
  /// A number by which a program may number its schemas.
  public let userVersion: Int
}

extension RawDatabase {
  /// What the file is like as a whole.
  public func facts() throws(RosterError) -> RawFacts {
    func number(_ pragma: String) throws(RosterError) -> Int {
      if case .integer(let number)? = try connection.value("PRAGMA \(pragma)") { return Int(clamping: number) }
      return 0
    }
    var encoding = ""
    if case .text(let text)? = try connection.value("PRAGMA encoding") { encoding = text }
    let header = try connection.fileBytes(at: 18, count: 2)
    let pageSize = try number("page_size")
    let log = LogFile(connection.resolvedPath + "-wal", pageSize: pageSize)
    return RawFacts(
      fileSize: try connection.fileSize(), logSize: log?.size, logFrames: log?.frames,
      isInWALMode: header.contains(2), pageSize: pageSize, pageCount: try number("page_count"),
      freePages: try number("freelist_count"), encoding: encoding, applicationID: try number("application_id"),
      userVersion: try number("user_version"))
  }

  /// How many bytes the pages of each table and index take, the largest first.
  ///
  /// - Returns: nil where the SQLite library was compiled without `SQLITE_ENABLE_DBSTAT_VTAB`.
  /// - Complexity: O(*n*) in the size of the file.
  public func sizes() throws(RosterError) -> [RawSize]? {
    guard Library.has("ENABLE_DBSTAT_VTAB") else { return nil }
    return try connection.rows(
      """
      SELECT d.name, coalesce(s.tbl_name, d.name), s.type, d.pgsize, d.payload, d.unused, d.pageno
      FROM (SELECT name, pgsize, payload, unused, pageno FROM dbstat('main', 1)) AS d
      LEFT JOIN sqlite_schema AS s ON s.name = d.name AND s.rootpage > 0
      ORDER BY d.pgsize DESC, d.name
      """
    ).compactMap { row in
      guard row.count == 7, case .text(let name) = row[0], case .text(let table) = row[1],
        case .integer(let bytes) = row[3], case .integer(let payload) = row[4], case .integer(let unused) = row[5],
        case .integer(let pages) = row[6]
      else { return nil }
      return RawSize(
        name: name, table: table, isIndex: row[2] == .text("index"), bytes: bytes, payload: payload, unused: unused,
        pages: Int(clamping: pages))
    }
  }

  /// The version of the SQLite library, and the options that it was compiled with.
  public static var library: (version: String, options: [String]) { (Library.version, Connection.compileOptions) }
}

/// What a table or index takes of the file.
public struct RawSize: Sendable, Hashable {
  /// Its name.
  public let name: String
  /// The table that it belongs to; for a table its own name.
  public let table: String
  /// Whether it is an index.
  public let isIndex: Bool
  /// The bytes of its pages.
  public let bytes: Int64
  /// The bytes of what is stored in them.
  public let payload: Int64
  /// The bytes in them that nothing is in.
  public let unused: Int64
  /// Its pages.
  public let pages: Int
}
