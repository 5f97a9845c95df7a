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
