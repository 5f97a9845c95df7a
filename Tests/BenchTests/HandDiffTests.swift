import Foundation
import Testing

@testable import roster_bench

@Suite("The comparison by hand that live lists are measured against")
struct HandDiffTests {
  private let tasks: [BenchTask] = BenchTask.make(6)

  @Test("it finds what goes, comes and changes, by the indices of list views")
  func changes() {
    var new = tasks
    new.remove(at: 4)
    new.remove(at: 1)
    new[2].isDone.toggle()
    new.insert(BenchTask.make(1, seed: 9)[0], at: 0)
    let difference = HandDiff(from: tasks, to: new)
    #expect(difference.deletions == [1, 4] && difference.insertions == [0])
    #expect(difference.updates == [3] && difference.moves == 0)
  }

  @Test("rows move as few as can be")
  func moves() {
    var new = tasks
    new.insert(new.remove(at: 5), at: 1)
    #expect(HandDiff(from: tasks, to: new).moves == 1)
    #expect(HandDiff(from: tasks, to: tasks.reversed()).moves == 5)
    #expect(HandDiff(from: tasks, to: tasks).moves == 0)
  }
}

@Suite("The charts of the benchmarks")
struct ChartTests {
  private func chart(_ times: [Double]) -> Chart {
    Chart(
      title: "A & B",
      series: [Chart.Series(name: "<one>", points: zip([1000, 10_000, 100_000], times).map { ($0, $1) })])
  }

  @Test("a chart is the same each time, has its units and escapes its names")
  func svg() throws {
    let svg = try #require(chart([0.01, 0.1, 5]).svg())
    #expect(svg == chart([0.01, 0.1, 5]).svg())
    for text in ["10 µs", "100 µs", "10 ms", "1,000", "100,000", "rows", "A &amp; B", "&lt;one>"] {
      #expect(svg.contains(">\(text)</text>"))
    }
    #expect(try XMLText(svg).isBalanced)
  }

  @Test("of one size there is no chart")
  func tooFew() {
    #expect(chart([1]).svg() == nil)
    #expect(Chart(title: "", series: []).svg() == nil)
  }

  /// Whether each element that opens is closed.
  private struct XMLText {
    let isBalanced: Bool

    init(_ text: String) throws {
      let tags = text.matches(of: try Regex("<(/?)[a-z]+[^>]*?(/?)>")).map { text[$0.range] }
      isBalanced = tags.count { $0.hasPrefix("</") } == tags.count { !$0.hasPrefix("</") && !$0.hasSuffix("/>") }
    }
  }
}
