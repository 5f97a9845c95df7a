/// A chart: what belongs side by side over its sizes.
enum ChartFamily: String, CaseIterable {
  case records, lists, moves, pages, search, opening

  var title: String {
    switch self {
    case .records: "Records, Roster and hand-written C"
    case .lists: "One change in a live list, commit to events"
    case .moves: "A move in a list kept by hand"
    case .pages: "A page of 50 rows, deep in a list"
    case .search: "The best 20 of a search, by what is typed"
    case .opening: "Opening a file, and its first 50 rows"
    }
  }
}
