extension ImportProblem {
  /// One line that says what is wrong, where, and what would be right.
  var message: String { "line \(line): \(fact.message)" }
}

extension ImportProblem.Fact {
  var message: String {
    switch self {
    case .notUTF8:
      "not UTF-8 text; save the file as UTF-8 and try again"
    case .nulCharacter:
      "a NUL character, at which many programs stop reading; remove it and try again"
    case .ragged(let found, let wanted):
      "\(found) \(found == 1 ? "field" : "fields") where the header has \(wanted)"
    case .quoteInsideField:
      "a quote inside a field that does not begin with one; write the field in quotes and each quote twice"
    case .textAfterQuote:
      "text after the closing quote of a field; a quote inside a field is written twice"
    case .openQuote:
      "a quoted field begins in this record and is never closed"
    case .noHeader:
      "the file is empty; its first line must name the columns, Title among them"
    case .noTitleColumn(let header):
      "no column is named Title; the header has " + header.map { "“\($0.visible)”" }.joined(separator: ", ")
    case .blankTitle:
      "the title is blank"
    case .badValue(let column, let value, let wanted):
      "\(column.visible) is “\(value.visible)”; it must be \(wanted)"
    }
  }
}

extension ImportNotice {
  var message: String {
    switch self {
    case .renamedColumn(let from, let to):
      "a second column “\(from.visible)” is called “\(to.visible)” here"
    case .unnamedColumn(let name):
      "a column without a name is called “\(name)” here"
    case .unknownColumn(let name):
      "the column “\(name.visible)” is not known, and was not imported"
    case .secondColumn(let name, let first):
      "the column “\(name.visible)” says the same as “\(first.visible)”, and was not imported"
    }
  }
}

extension ExportLoss {
  /// What was lost in `count` tasks, such as “notes of 3 todos”.
  func message(_ count: Int) -> String {
    let todos = count == 1 ? "1 todo" : "\(count) todos"
    return switch self {
    case .note: "notes of \(todos)"
    case .timeOfDay: "times of day of \(todos)"
    case .lineBreakInTitle: "line breaks in the titles of \(todos)"
    case .spaceInName: "spaces in the list and tag names of \(todos)"
    case .creationDate: "creation dates of \(todos)"
    case .completionDate: "completion dates of \(todos)"
    case .dateOutOfRange: "dates before the year 0 or after 9999 of \(todos)"
    case .title: "the exact titles of \(todos), which the format reads as something else"
    case .tagName: "the exact tags of \(todos), which the format reads as something else"
    }
  }
}

extension TaskExport {
  /// What could not be carried, one phrase for each kind of thing, in a fixed order.
  var lossMessages: [String] {
    ExportLoss.allCases.compactMap { loss in losses[loss].map(loss.message) }
  }
}
