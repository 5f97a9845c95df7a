import Testing

@testable import Roster

/// The error of the project's that `body` throws.
func failure<T>(
  _ code: RosterError.Code, sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> T
) throws -> RosterError {
  let error = try #require(throws: RosterError.self, sourceLocation: sourceLocation) { _ = try body() }
  #expect(error.code == code, "\(error)", sourceLocation: sourceLocation)
  return error
}

/// The same for what is asynchronous.
func failure<T>(
  _ code: RosterError.Code, sourceLocation: SourceLocation = #_sourceLocation, _ body: () async throws -> T
) async throws -> RosterError {
  let error = try await #require(throws: RosterError.self, sourceLocation: sourceLocation) {
    _ = try await body()
  }
  #expect(error.code == code, "\(error)", sourceLocation: sourceLocation)
  return error
}

/// `#expect` for loops over very many cases: it costs next to nothing where it holds, and the macro some 20 µs.
func expectQuickly(
  _ isTrue: Bool, _ context: @autoclosure () -> String, sourceLocation: SourceLocation = #_sourceLocation
) {
  if !isTrue { Issue.record("\(context())", sourceLocation: sourceLocation) }
}

/// The same, and what comes after it does not run where it fails.
func requireQuickly(
  _ isTrue: Bool, _ context: @autoclosure () -> String, sourceLocation: SourceLocation = #_sourceLocation
) throws {
  guard isTrue else {
    try #require(isTrue, "\(context())", sourceLocation: sourceLocation)
    return
  }
}
