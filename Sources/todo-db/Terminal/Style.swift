/// Colour and weight for text on a terminal.
///
/// Nothing is coloured unless the output is a terminal and the user has not asked for none, so that a
/// file or a pipe never holds an escape sequence.
struct Style: Equatable, Sendable {
  enum Role: Sendable {
    case plain, heading, dimmed, urgent, warning, success, highlight
  }

  let isEnabled: Bool

  static let plain = Style(isEnabled: false)

  init(isEnabled: Bool) { self.isEnabled = isEnabled }

  /// `NO_COLOR` counts when it is set to anything but the empty text. [no-color.org]
  init(isTerminal: Bool, environment: [String: String]) {
    let refused = environment["NO_COLOR"].map { !$0.isEmpty } ?? false
    isEnabled = isTerminal && !refused && environment["TERM"] != "dumb"
  }

  /// The text in the role's colour. The text must be visible already: its own escape sequences would
  /// be kept.
  func apply(_ role: Role, to text: String) -> String {
    guard isEnabled, let code = role.code, !text.isEmpty else { return text }
    return "\u{1B}[\(code)m\(text)\u{1B}[0m"
  }
}

extension Style.Role {
  fileprivate var code: String? {
    switch self {
    case .plain: nil
    case .heading: "1"
    case .dimmed: "2"
    case .urgent: "31"
    case .warning: "33"
    case .success: "32"
    // Many fonts have no bold Chinese, which a line shows all the same.
    case .highlight: "1;4"
    }
  }
}
