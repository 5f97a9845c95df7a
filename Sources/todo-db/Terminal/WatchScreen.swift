import Roster
import TodoModel

/// A live list on a screen: headings, as many todos as there is room for, how many more there are, and a line that says
/// what is shown.
///
/// The columns keep the widths that they once had, so that a change of one todo is one of its row alone.
struct WatchScreen {
  private let isNumbered: Bool
  private let search: Query<Todo>?
  private var widths: [Int] = []
  private var screenWidth = 0

  init(isNumbered: Bool = true, search: Query<Todo>? = nil) {
    self.isNumbered = isNumbered
    self.search = search
  }

  /// How many todos a screen has room for, of so many: all of them, or as many as leave a row to tell of the rest.
  static func room(for count: Int, height: Int) -> Int {
    let rows = max(height - 2, 0)
    return count <= rows ? count : max(rows - 1, 0)
  }

  /// `entries` are the first of `count` todos, ``room(for:height:)`` of them.
  mutating func screen(
    _ entries: [TodoEntry], of count: Int, status: String, overdue: Overdue, width: Int, height: Int, style: Style
  ) -> Screen {
    if screenWidth != width { (screenWidth, widths) = (width, TodoTable.watchedWidths(isNumbered: isNumbered)) }
    let table = TodoTable(entries, overdue: overdue, isNumbered: isNumbered, search: search)
    var lines = table.lines(keeping: &widths, width: width, style: style)
    if count > entries.count {
      lines.append(style.apply(.dimmed, to: Report.more(count - entries.count).truncated(toWidth: width)))
    }
    // A screen of one row shows the status alone.
    lines = Array(lines.prefix(max(height - 1, 0)))
    lines += Array(repeating: "", count: max(height - 1 - lines.count, 0))
    lines.append(style.apply(.heading, to: status.truncated(toWidth: width)))
    return Screen(width: width, height: height, lines: lines)
  }
}
