/// One record of a CSV file.
struct CSVRecord: Equatable, Sendable {
  /// The line on which it began, counted from 1.
  var line: Int
  var fields: [String]
}

/// How a table of text sets its fields apart.
struct TableSyntax: Equatable, Sendable {
  var separator: UInt8
  /// Whether a quote may stand inside a field that does not begin with one. Many programs that write TSV know no quotes.
  var allowsLooseQuotes: Bool

  static let csv = TableSyntax(separator: 0x2C, allowsLooseQuotes: false)
  static let tsv = TableSyntax(separator: 0x09, allowsLooseQuotes: true)
}

/// Reads CSV by RFC 4180, or TSV with the same quotes, from bytes that arrive in pieces.
///
/// Between calls it holds nothing but the record that is not finished yet. Line endings may be CRLF, LF
/// or CR; inside quotes they are text. A byte order mark is dropped, and so are lines with nothing on
/// them. An empty field and `""` are the same: the empty text.
struct CSVParser {
  private enum State { case fieldStart, unquoted, quoted, quoteInQuoted }

  private let syntax: TableSyntax
  private var state = State.fieldStart
  private var field: [UInt8] = []
  private var fields: [String] = []
  private var isRecordEmpty = true
  private var line = 1
  private var recordLine = 1
  private var lastWasCR = false
  /// How many bytes of a byte order mark have been met; `nil` once the file's text has begun.
  private var markBytes: Int? = 0
  private var finished: [CSVRecord] = []

  private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

  init(_ syntax: TableSyntax = .csv) { self.syntax = syntax }

  /// The records that these bytes complete.
  mutating func feed(_ bytes: some Sequence<UInt8>) throws(ImportFailure) -> [CSVRecord] {
    for byte in bytes { try take(byte) }
    return takeFinished()
  }

  /// The last record, where the file does not end in a line ending.
  mutating func finish() throws(ImportFailure) -> [CSVRecord] {
    try giveUpMark()
    if state == .quoted { throw failure(.openQuote) }
    if !isRecordEmpty { try endRecord() }
    return takeFinished()
  }

  private mutating func takeFinished() -> [CSVRecord] {
    defer { finished = [] }
    return finished
  }

  private func failure(_ fact: ImportProblem.Fact) -> ImportFailure { ImportFailure(line: recordLine, fact) }

  private mutating func take(_ byte: UInt8) throws(ImportFailure) {
    if let count = markBytes {
      if Self.mark.dropFirst(count).first == byte {
        markBytes = count + 1 == Self.mark.count ? nil : count + 1
        return
      }
      try giveUpMark()
    }
    try takeText(byte)
  }

  /// Treats the beginning of a byte order mark that did not go on as the text that it is.
  private mutating func giveUpMark() throws(ImportFailure) {
    guard let count = markBytes else { return }
    markBytes = nil
    for byte in Self.mark.prefix(count) { try takeText(byte) }
  }

  private mutating func takeText(_ byte: UInt8) throws(ImportFailure) {
    let followsCR = lastWasCR
    lastWasCR = byte == 0x0D
    let isNewline = byte == 0x0A || byte == 0x0D
    let endsCRLF = followsCR && byte == 0x0A
    if isNewline, !endsCRLF { line += 1 }
    switch (state, byte) {
    case (.quoted, 0x22):
      state = .quoteInQuoted
    case (.quoted, _):
      field.append(byte)
    case (.quoteInQuoted, 0x22):
      field.append(byte)
      state = .quoted
    case (_, syntax.separator):
      isRecordEmpty = false
      try endField()
    case _ where isNewline:
      if isRecordEmpty { recordLine = line } else { try endRecord() }
    case (.quoteInQuoted, _):
      throw failure(.textAfterQuote)
    case (.fieldStart, 0x22):
      isRecordEmpty = false
      state = .quoted
    case (.unquoted, 0x22) where !syntax.allowsLooseQuotes:
      throw failure(.quoteInsideField)
    default:
      isRecordEmpty = false
      state = .unquoted
      field.append(byte)
    }
  }

  private mutating func endField() throws(ImportFailure) {
    guard let text = String(validating: field, as: UTF8.self) else { throw failure(.notUTF8) }
    fields.append(text)
    field.removeAll(keepingCapacity: true)
    state = .fieldStart
  }

  private mutating func endRecord() throws(ImportFailure) {
    try endField()
    finished.append(CSVRecord(line: recordLine, fields: fields))
    fields = []
    isRecordEmpty = true
    recordLine = line
  }
}

/// The columns of a table, each with a name of its own.
struct TableHeader: Equatable, Sendable {
  private(set) var names: [String]
  /// Columns whose name had to be changed, so that every name stands once.
  private(set) var notices: [ImportNotice] = []

  init(_ cells: [String]) {
    names = []
    var taken = Set(cells.map(\.trimmed))
    var seen: Set<String> = []
    for (index, cell) in cells.enumerated() {
      let name = cell.trimmed
      if !name.isEmpty, seen.insert(name).inserted {
        names.append(name)
        continue
      }
      let stem = name.isEmpty ? "Column" : name
      var number = name.isEmpty ? index + 1 : 2
      while !taken.insert("\(stem) \(number)").inserted { number += 1 }
      let renamed = "\(stem) \(number)"
      notices.append(name.isEmpty ? .unnamedColumn(named: renamed) : .renamedColumn(from: name, to: renamed))
      names.append(renamed)
    }
  }

  /// Hands over the header of a file, and then each record after it.
  static func read(
    _ bytes: [UInt8], _ syntax: TableSyntax, header: (TableHeader) throws -> Void, each: (CSVRecord) throws -> Void
  ) throws {
    var parser = CSVParser(syntax)
    var isFirst = true
    func take(_ records: [CSVRecord]) throws {
      for record in records {
        if isFirst { try header(TableHeader(record.fields)) } else { try each(record) }
        isFirst = false
      }
    }
    var rest = bytes[...]
    while !rest.isEmpty {
      try take(parser.feed(rest.prefix(1 << 16)))
      rest = rest.dropFirst(1 << 16)
    }
    try take(parser.finish())
    if isFirst { throw ImportFailure(line: 1, .noHeader) }
  }
}

/// Writes CSV by RFC 4180, or TSV with the same quotes, with CRLF at the end of each record.
enum CSVWriter {
  /// One record. A field is quoted where it must be, and where white space at its ends might be trimmed
  /// by another reader.
  static func line(_ fields: [String], _ syntax: TableSyntax = .csv) -> String {
    // A record of one empty field would be a blank line, which a reader passes over.
    if fields == [""] { return "\"\"\r\n" }
    return fields.map { quoted($0, syntax) }.joined(separator: String(Unicode.Scalar(syntax.separator))) + "\r\n"
  }

  private static func quoted(_ field: String, _ syntax: TableSyntax) -> String {
    let scalars = field.unicodeScalars
    let mustQuote = field.utf8.contains { $0 == syntax.separator || $0 == 0x22 || $0 == 0x0A || $0 == 0x0D }
    let startsWithMark = scalars.first == "\u{FEFF}"
    guard mustQuote || startsWithMark || !field.trimmed.hasSameBytes(as: field) else { return field }
    var result = String.UnicodeScalarView("\"".unicodeScalars)
    for scalar in scalars {
      if scalar == "\"" { result.append(scalar) }
      result.append(scalar)
    }
    return String(result) + "\""
  }
}
