/// How the values of one column are read and written, the property's type erased.
@usableFromInline class ColumnCodec: @unchecked Sendable {
  // Unchecked, since a class that is not final cannot be checked: no subclass has a property that changes.

  @usableFromInline init() {}

  /// The type of the values, where they are stored as it does by itself.
  @usableFromInline var plainType: (any ColumnValue.Type)? { nil }

  /// Binds the value that the memory holds.
  @usableFromInline func encode(at memory: UnsafeRawPointer, to parameter: borrowing Parameter) throws(RosterError) {}

  /// What the value of a cell is stored as where it is written again.
  func rewritten(_ cell: borrowing Cell) throws(RosterError) -> SQLiteValue { cell.value }

  /// Binds a value, where it is of the codec's type or can be cast to it. Nil where it is not.
  func argument(_ value: Any) -> SQLArgument? { nil }
}

/// A codec of a known type. Its two subclasses override everything.
@usableFromInline class TypedCodec<Value: Sendable>: ColumnCodec, @unchecked Sendable {
  @usableFromInline override init() { super.init() }

  /// Reads a value.
  @usableFromInline func decode(_ cell: borrowing Cell) throws(RosterError) -> Value {
    throw cell.mismatch("a \(Value.self)")
  }

  /// Binds a value.
  @usableFromInline func encode(_ value: Value, to parameter: borrowing Parameter) throws(RosterError) {}

  override func encode(at memory: UnsafeRawPointer, to parameter: borrowing Parameter) throws(RosterError) {
    try encode(memory.assumingMemoryBound(to: Value.self).pointee, to: parameter)
  }

  override func rewritten(_ cell: borrowing Cell) throws(RosterError) -> SQLiteValue {
    let value = try decode(cell)
    return try SQLiteValue.capture { (parameter) throws(RosterError) in try encode(value, to: parameter) }
  }

  override func argument(_ value: Any) -> SQLArgument? {
    // A cast, since a predicate's literal can be of the property's type or of the type it wraps.
    guard let value = value as? Value else { return nil }
    return SQLArgument { [self] (parameter) throws(RosterError) in try encode(value, to: parameter) }
  }
}

/// Stores values as their type does.
@usableFromInline final class PlainCodec<Value: ColumnValue>: TypedCodec<Value>, @unchecked Sendable {
  @usableFromInline override init() { super.init() }

  override var plainType: (any ColumnValue.Type)? { Value.self }

  override func decode(_ cell: borrowing Cell) throws(RosterError) -> Value { try Value(from: cell) }

  override func encode(_ value: Value, to parameter: borrowing Parameter) throws(RosterError) {
    try value.encode(to: parameter)
  }
}

/// Stores values by a conversion.
final class ConvertedCodec<Value: Sendable, Stored: ColumnValue>: TypedCodec<Value>, @unchecked Sendable {
  private let name: String
  private let conversion: ColumnConversion<Value, Stored>

  init(name: String, conversion: ColumnConversion<Value, Stored>) {
    self.name = name
    self.conversion = conversion
    super.init()
  }

  override func decode(_ cell: borrowing Cell) throws(RosterError) -> Value {
    let stored = try Stored(from: cell)
    do { return try conversion.load(stored) } catch {
      throw RosterError(
        .typeMismatch, "Column \(name) holds a value that is no \(Value.self).", columns: [name], cause: error)
    }
  }

  override func encode(_ value: Value, to parameter: borrowing Parameter) throws(RosterError) {
    let stored: Stored
    do { stored = try conversion.store(value) } catch {
      throw RosterError(
        .valueNotRepresentable, "A \(Value.self) for column \(name) cannot be stored.", columns: [name], cause: error)
    }
    try stored.encode(to: parameter)
  }
}
