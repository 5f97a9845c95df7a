import Testing

@testable import todo_db

@Suite struct DisplayWidthTests {
  @Test(
    "text is as wide as a terminal shows it",
    arguments: [
      ("", 0), ("abc", 3), ("é", 1), ("e\u{301}", 1), ("写作", 4), ("ｆｕｌｌ", 8), ("ｶﾅ", 2), ("한글", 4),
      ("\u{1112}\u{1161}\u{11AB}", 2), ("👩‍👩‍👧", 2), ("👍🏽", 2), ("🇨🇳", 2), ("🇨", 1), ("1️⃣", 2), ("❤️", 2), ("❤", 1),
      ("🌱🌱", 4), ("☺︎", 1), ("⌚", 2), ("مرحبا", 5), ("كِتَاب", 4), ("สวัสดี", 4), ("กำ", 2), ("\u{200B}", 0),
      ("🏴\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}", 2), ("𠀀", 2), ("…", 1), ("\u{301}", 0),
      ("#", 1), ("7", 1),
    ])
  func width(text: String, cells: Int) {
    #expect(text.displayWidth == cells)
  }

  @Test("control characters and direction overrides are shown and do nothing")
  func controls() {
    #expect("a\u{1B}[31mb".visible == "a␛[31mb")
    #expect("a\r\nb\tc\0\u{7F}".visible == "a␍␊b␉c␀␡")
    #expect("\u{9B}31m\u{202E}abc\u{2066}\u{2028}".visible == "\u{FFFD}31m\u{FFFD}abc\u{FFFD}\u{FFFD}")
    #expect("a\r\nb".displayWidth == 4)
    #expect("👩‍👩‍👧 مرحبا\u{200F}".visible == "👩‍👩‍👧 مرحبا\u{200F}")
  }

  @Test("text is cut between characters and ends in an ellipsis")
  func truncation() {
    #expect("写作练习".truncated(toWidth: 8) == "写作练习")
    #expect("写作练习".truncated(toWidth: 7) == "写作练…")
    #expect("写作练习".truncated(toWidth: 6) == "写作…")
    #expect("👩‍👩‍👧👩‍👩‍👧".truncated(toWidth: 3) == "👩‍👩‍👧…")
    #expect("abc".truncated(toWidth: 1) == "…")
    #expect("abc".truncated(toWidth: 0) == "")
    #expect("abc".truncated(toWidth: -1) == "")
  }

  @Test("fitted text fills exactly the width asked for")
  func fitting() {
    #expect("写".fitted(toWidth: 4) == "写  ")
    #expect("写".fitted(toWidth: 4, alignment: .right) == "  写")
    for text in ["", "abc", "写作练习", "a👍🏽b🇨🇳c", "e\u{301}e\u{301}"] {
      for width in 0...12 {
        #expect(text.fitted(toWidth: width).displayWidth == width, "\(text) in \(width)")
      }
    }
  }
}

@Suite struct TextTableTests {
  private func table(_ rows: [[TextTable.Cell]]) -> TextTable {
    var table = TextTable([
      .init("ID"), .init("TITLE", minimumWidth: 6), .init("N", alignment: .right), .init("LIST"),
    ])
    for row in rows { table.append(row) }
    return table
  }

  @Test("columns align whatever the text is made of, without trailing spaces")
  func alignment() {
    let table = table([["3f", "写作练习", "7", "家"], ["81c0", "👩‍👩‍👧 call", "12", ""], ["a"]])
    #expect(
      table.lines() == [
        "ID    TITLE      N  LIST",
        "3f    写作练习   7  家",
        "81c0  👩‍👩‍👧 call   12",
        "a",
      ])
  }

  @Test("a table that is too wide shrinks the column that may, down to its minimum")
  func shrinking() {
    let table = table([["3f", "a title that goes on", "7", "Inbox"]])
    #expect(table.lines(width: 24) == ["ID  TITLE       N  LIST", "3f  a title t…  7  Inbox"])
    #expect(table.lines(width: 1).last == "3f  a tit…  7  Inbox")
    #expect(table.lines(width: 80) == table.lines())
  }

  @Test("colour is outside the alignment, and only where it is wanted")
  func colour() {
    let table = table([["3f", .init("a", role: .urgent), "7", "x"]])
    #expect(table.lines().last == "3f  a      7  x")
    #expect(table.lines(style: Style(isEnabled: true)).last == "3f  \u{1B}[31ma\u{1B}[0m      7  x")
  }

  @Test("an escape sequence in a title is shown, not obeyed")
  func hostile() {
    #expect(table([["3f", "\u{1B}[2Ja\nb", "7", "x"]]).lines().last == "3f  ␛[2Ja␊b  7  x")
  }
}

@Suite struct StyleTests {
  @Test(
    "colour needs a terminal and no wish against it",
    arguments: [
      (true, [:], true), (false, [:], false), (true, ["NO_COLOR": "1"], false),
      (true, ["NO_COLOR": ""], true),
      (true, ["TERM": "dumb"], false), (false, ["NO_COLOR": ""], false),
    ] as [(Bool, [String: String], Bool)])
  func colour(isTerminal: Bool, environment: [String: String], isEnabled: Bool) {
    #expect(Style(isTerminal: isTerminal, environment: environment).isEnabled == isEnabled)
  }
}
