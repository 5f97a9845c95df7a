import Roster

/// What is measured of an order that is kept by hand: a row that has nothing but a title and its place.
struct BenchRow: Record, Equatable {
  let id: Int64
  var title: String

  static let table = Table(
    "row", BenchRow.init, Column("id", \.id), Column("title", \.title), order: .manual("position"))
}
