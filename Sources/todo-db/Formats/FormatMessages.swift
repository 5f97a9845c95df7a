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
      "no column is named Title; the header has \(header.quoted) (--map COLUMN=title says which one is)"
    case .noSuchColumn(let column, let header):
      "--map names the column “\(column.visible)”, and the header has \(header.quoted)"
    case .blankTitle:
      "the title is blank"
    case .badValue(let column, let value, let wanted):
      "\(column.visible) is “\(value.visible)”; it must be \(wanted)"
    case .badJSON(let fault):
      "no JSON: \(fault.message)"
    case .notAnObject:
      "a value that is no object; each task is an object in braces"
    case .notACalendar:
      "no calendar; an iCalendar file begins with BEGIN:VCALENDAR"
    case .notAProperty(let line):
      "“\(line.truncated(toWidth: 40))” is no property; a line that goes on begins with a space"
    case .unfinishedItem:
      "a VTODO that begins here and has no END:VTODO"
    case .unknownZone(let name):
      "the time zone “\(name.visible)” is not known"
    }
  }
}

extension [String] {
  fileprivate var quoted: String { map { "“\($0.visible)”" }.joined(separator: ", ") }
}

extension JSONFault.Fact {
  var message: String {
    switch self {
    case .endOfFile: "the text ends in the middle of a value"
    case .unexpected(let byte) where byte < 0x80:
      "“\(String(Unicode.Scalar(byte)).visible)” where something else has to be"
    case .unexpected: "a character that is no part of JSON outside of quotes"
    case .controlCharacter:
      "a line break or another control character in a text; it is written as an escape, such as \\n"
    case .badEscape: "a backslash with no escape after it"
    case .loneSurrogate: "an escape that is half of a character"
    case .badNumber: "a number without digits where they have to be"
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
    case .repeatedID(let id, let line, let later):
      "line \(line): the id “\(id.visible)” stands again in line \(later), which counts"
    case .repeatedTodo(let id, let line, let later):
      "line \(line): the todo \(id) is named again in line \(later) by another id, and that line counts"
    case .unkeptFields(1):
      "what 1 task says beyond a todo was not kept, as its todo keeps what another format says"
    case .unkeptFields(let tasks):
      "what \(tasks) tasks say beyond a todo was not kept, as their todos keep what another format says"
    case .deletedTask(let title, let line):
      "line \(line): “\(title.truncated(toWidth: 40))” is deleted, and was not imported"
    case .otherComponents(let name, let count):
      "\(count == 1 ? "1 \(name) is" : "\(count) \(name) are") no task, and \(count == 1 ? "was" : "were") not imported"
    case .otherText(let lines):
      "\(lines == 1 ? "1 line" : "\(lines) lines") of other text \(lines == 1 ? "was" : "were") not imported"
    case .openFence(let line):
      "line \(line): the code that begins here has no closing fence, so that nothing below it was imported"
    }
  }
}

extension ExportLoss {
  /// What was lost in `count` tasks, such as “notes of 3 todos”.
  func message(_ count: Int) -> String {
    let todos = count == 1 ? "1 todo" : "\(count) todos"
    return switch self {
    case .note: "notes of \(todos)"
    case .priority: "priorities of \(todos)"
    case .dueDate: "due dates of \(todos)"
    case .fractionOfSecond: "fractions of seconds of \(todos)"
    case .controlCharacter: "control characters in the texts of \(todos)"
    case .tags: "tags of \(todos)"
    case .foreignID: "ids of \(todos) in other programs"
    case .foreignFields: "fields of \(todos) that are another program's"
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

extension LossCounts {
  /// What could not be carried, one phrase for each kind of thing, in a fixed order.
  var messages: [String] {
    ExportLoss.allCases.compactMap { loss in counts[loss].map(loss.message) }
  }
}
