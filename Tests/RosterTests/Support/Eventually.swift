import Testing

/// Waits until a condition holds, for four seconds at most.
@MainActor
func eventually(_ condition: () -> Bool, sourceLocation: SourceLocation = #_sourceLocation) async throws {
  for _ in 0..<2000 where !condition() { try await Task.sleep(for: .milliseconds(2)) }
  try #require(condition(), sourceLocation: sourceLocation)
}
