import Foundation
import Testing

@testable import roster_bench

@Suite("The benchmarks' command line")
struct OptionsTests {
  @Test("options are read in any order")
  func all() throws {
    let options = try Options([
      "--sizes", "1000,20000", "--quick", "--filter", "live", "--json", "a.json", "--rounds", "9", "--strict",
    ])
    #expect(options.isQuick && options.isStrict)
    #expect(options.sizes == [1000, 20_000])
    #expect(options.rounds == 9)
    #expect(options.json?.lastPathComponent == "a.json")
    #expect(options.wants("live-toggle") && !options.wants("insert"))
  }

  @Test("a filter is a part of an id, or a regular expression")
  func filter() throws {
    let options = try Options(["--filter", "^move$|search-[12]"])
    #expect(["move", "search-1", "search-2"].allSatisfy(options.wants))
    #expect(!["move-many", "search-3"].contains(where: options.wants))
  }

  @Test(
    "what makes no sense is refused, and the option named",
    arguments: [
      ["--fast"], ["--sizes"], ["--sizes", "ten"], ["--sizes", "1000,,2000"], ["--sizes", "-5"], ["--rounds", "0"],
      ["--json"], ["--json", "--quick"], ["--compare", "one.json"], ["--filter", "("],
    ])
  func refused(arguments: [String]) {
    let error = #expect(throws: UsageError.self) { try Options(arguments) }
    #expect(error?.description.contains(arguments[0]) == true)
  }

  @Test("ids are told apart, and each is in the list once")
  func ids() {
    let ids = Workload.all.map(\.id)
    #expect(Set(ids).count == ids.count)
    #expect(!ids.isEmpty)
  }
}
