public import Foundation

/// How a property's values are stored where their own representation is not the one wanted.
///
/// ```swift
/// Column("due", \.due, as: .unixTime)
/// Column("tags", \.tags, as: .json)
/// ```
public struct ColumnConversion<Value, Stored: ColumnValue>: Sendable {
  @usableFromInline let store: @Sendable (Value) throws -> Stored
  @usableFromInline let load: @Sendable (Stored) throws -> Value
  let keepsOrder: Bool

  /// A conversion by two functions, each the inverse of the other.
  ///
  /// `keepsOrder` says that stored values sort as the values do; without it, a predicate can only compare
  /// them for equality. An error that a function throws becomes the cause of a ``RosterError``.
  public init(
    keepsOrder: Bool = false, store: @escaping @Sendable (Value) throws -> Stored,
    load: @escaping @Sendable (Stored) throws -> Value
  ) {
    self.store = store
    self.load = load
    self.keepsOrder = keepsOrder
  }

  /// The same conversion for optional values: nil is NULL.
  @usableFromInline func optional() -> ColumnConversion<Value?, Stored?> {
    ColumnConversion<Value?, Stored?>(
      keepsOrder: keepsOrder, store: { [store] in try $0.map(store) }, load: { [load] in try $0.map(load) })
  }
}

extension ColumnConversion where Value == Date, Stored == Double {
  /// Seconds since 1970-01-01 UTC, which is exact to about a quarter of a microsecond today.
  public static var unixTime: ColumnConversion<Date, Double> {
    ColumnConversion(
      keepsOrder: true, store: { $0.timeIntervalSince1970 }, load: { Date(timeIntervalSince1970: $0) })
  }
}

extension ColumnConversion where Value == Date, Stored == Int64 {
  /// Whole milliseconds since 1970-01-01 UTC. Anything finer is rounded away.
  public static var unixMilliseconds: ColumnConversion<Date, Int64> {
    ColumnConversion(
      keepsOrder: true,
      store: {
        guard let value = Int64(exactly: ($0.timeIntervalSince1970 * 1000).rounded()) else {
          throw RosterError(.valueNotRepresentable, "The date is out of the range of milliseconds.")
        }
        return value
      },
      load: { Date(timeIntervalSince1970: Double($0) / 1000) })
  }
}

extension ColumnConversion where Value == UUID, Stored == Data {
  /// The 16 bytes of a UUID.
  public static var blob: ColumnConversion<UUID, Data> {
    ColumnConversion(
      store: { uuid in withUnsafeBytes(of: uuid.uuid) { Data($0) } },
      load: { data in
        guard data.count == 16 else {
          throw RosterError(.typeMismatch, "A UUID has 16 bytes, not \(data.count).")
        }
        return data.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
      })
  }
}

extension ColumnConversion where Value: Codable & SendableMetatype, Stored == String {
  /// JSON with its keys sorted, so that equal values have equal texts.
  public static var json: ColumnConversion<Value, String> {
    ColumnConversion(
      store: { value in
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
      },
      load: { try JSONDecoder().decode(Value.self, from: Data($0.utf8)) })
  }
}
