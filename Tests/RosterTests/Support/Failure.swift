import Testing

@testable import Roster

/// The error of the project's that `body` throws.
func failure(
  _ code: RosterError.Code, sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Void
) throws -> RosterError {
  let error = try #require(throws: RosterError.self, sourceLocation: sourceLocation) { try body() }
  #expect(error.code == code, "\(error)", sourceLocation: sourceLocation)
  return error
}

/// The same for what is asynchronous.
func failure(
  _ code: RosterError.Code, sourceLocation: SourceLocation = #_sourceLocation, _ body: () async throws -> Void
) async throws -> RosterError {
  let error = try await #require(throws: RosterError.self, sourceLocation: sourceLocation) { try await body() }
  #expect(error.code == code, "\(error)", sourceLocation: sourceLocation)
  return error
}
