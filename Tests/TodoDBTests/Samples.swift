import Foundation

@testable import todo_db

/// Texts as other programs write them.
enum Samples {
  static let todoTxtLines = [
    "(A) 2026-09-18 Renew the bike (rear wheel) @errand",
    "2026-09-01 Book library books due:2026-10-08",
    "x 2026-09-12 2026-09-10 写一个练习项目 +travel due:2026-09-15 pri:B",
    "2026-10-06 👩‍👩‍👧 family call +swift @家",
    "x 2026-10-19 2026-10-17 写一个练习项目 v2 +work pri:B",
    "x 2026-09-12 2026-09-10 🎉 plan the launch party +swift @家 due:2026-10-20",
    "(A) 2026-09-18 Draft Zoë's birthday party +garden",
    "(C) 2026-11-20 续签护照 v4 due:2026-11-25",
    "2026-10-08 给列表加上删除 (第2章) due:2026-10-20",
    "",
    "(D) 2026-11-17 Order milk and eggs @laptop",
    "(C) 2026-09-20 🇨🇳 visa 申请 @office due:2026-09-30",
    "(b) no priority",
    "X open",
    "xylophone lesson",
    "x done without a date",
    "x (B) 2026-03-02 2026-03-01 measure space +chapel @hall",
    "see http://e.org:80/ and b@e.org, 2+2 rec:1w",
    "   ",
    "due:2026-02-30 is no day",
    "2026-02-30 neither is this",
    "+only @marks",
    "two  spaces\tand a tab  +inside here ",
    "+first +second +second @third both",
    "no newline at the end of this file",
  ]

  static let tasksCSV =
    "\u{FEFF}Title,Notes,Completed,Priority,Due Date,List\r\n"
    + "Renew the bike (rear wheel),\"两行\n备注\",false,high,,Inbox\r\n"
    + "Book library books,,false,,2026-10-08,Inbox\r\n"
    + "👩‍👩‍👧 family call,trailing space ,false,,,swift\r\n"
    + "写一个练习项目 v2,see the wiki,true,medium,,work\r\n"
    + "Pay library books,\"\"\"quoted\"\", with comma\",false,,,Inbox\r\n"
    + "续签护照 v4,\"\",false,low,2026-11-25,学习\r\n"
    + "00601,tab\there,true,,2026-10-04,Inbox\r\n"

  static func date(_ text: String) -> Date? { DueDate(text)?.date }
}
