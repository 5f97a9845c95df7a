/// A property of a record and the column that stores it.
public struct Column<Root, Value: Sendable>: Sendable {
  /// The column's name in the database.
  public let name: String
  @usableFromInline let keyPath: any KeyPath<Root, Value> & Sendable
  @usableFromInline let codec: ColumnCodec
  @usableFromInline let traits: ColumnTraits

  @usableFromInline init(
    name: String, keyPath: any KeyPath<Root, Value> & Sendable, codec: ColumnCodec, traits: ColumnTraits
  ) {
    self.name = name
    self.keyPath = keyPath
    self.codec = codec
    self.traits = traits
  }

  /// A column that stores the property as its type does.
  @inlinable public init(_ name: String, _ keyPath: any KeyPath<Root, Value> & Sendable) where Value: ColumnValue {
    self.init(
      name: name, keyPath: keyPath,
      codec: ColumnCodec(
        Value.self,
        decode: { (cell) throws(RosterError) in try Value(from: cell) },
        encode: { (value, parameter) throws(RosterError) in try value.encode(to: parameter) }),
      traits: ColumnTraits(storageClass: Value.storageClass, isOptional: Value.isOptional, keepsOrder: true))
  }

  /// A column that stores the property by a conversion.
  public init<Stored: ColumnValue>(
    _ name: String, _ keyPath: any KeyPath<Root, Value> & Sendable, as conversion: ColumnConversion<Value, Stored>
  ) {
    self.init(
      name: name, keyPath: keyPath,
      codec: ColumnCodec(
        Value.self,
        decode: { (cell) throws(RosterError) in
          let stored = try Stored(from: cell)
          do { return try conversion.load(stored) } catch {
            throw RosterError(
              .typeMismatch, "Column \(name) holds a value that is no \(Value.self).", columns: [name], cause: error)
          }
        },
        encode: { (value, parameter) throws(RosterError) in
          let stored: Stored
          do { stored = try conversion.store(value) } catch {
            throw RosterError(
              .valueNotRepresentable, "A \(Value.self) for column \(name) cannot be stored.", columns: [name],
              cause: error)
          }
          try stored.encode(to: parameter)
        }),
      traits: ColumnTraits(
        storageClass: Stored.storageClass, isOptional: Stored.isOptional, keepsOrder: conversion.keepsOrder,
        isConverted: true))
  }

  /// A column that stores an optional property by a conversion of what it holds; nil is NULL.
  public init<Wrapped: Sendable, Stored: ColumnValue>(
    _ name: String, _ keyPath: any KeyPath<Root, Value> & Sendable, as conversion: ColumnConversion<Wrapped, Stored>
  ) where Value == Wrapped? {
    self.init(name, keyPath, as: conversion.optional())
  }
}

/// How the values of one column are read and written, the type erased to where they lie in memory.
@usableFromInline struct ColumnCodec: Sendable {
  /// Initialises the memory with the value of a cell.
  @usableFromInline let decode: @Sendable (borrowing Cell, UnsafeMutableRawPointer) throws(RosterError) -> Void
  /// Binds the value that the memory holds.
  @usableFromInline let encode: @Sendable (UnsafeRawPointer, borrowing Parameter) throws(RosterError) -> Void

  @inlinable init<Value: Sendable>(
    _ type: Value.Type, decode: @escaping @Sendable (borrowing Cell) throws(RosterError) -> Value,
    encode: @escaping @Sendable (Value, borrowing Parameter) throws(RosterError) -> Void
  ) {
    self.decode = { (cell, memory) throws(RosterError) in
      memory.initializeMemory(as: Value.self, to: try decode(cell))
    }
    self.encode = { (memory, parameter) throws(RosterError) in
      try encode(memory.assumingMemoryBound(to: Value.self).pointee, parameter)
    }
  }

  /// Reads a value, which is of the type that the codec was made for.
  @inlinable func value<Value>(_ type: Value.Type, _ cell: borrowing Cell) throws(RosterError) -> Value {
    let memory = UnsafeMutablePointer<Value>.allocate(capacity: 1)
    defer { memory.deallocate() }
    try decode(cell, UnsafeMutableRawPointer(memory))
    return memory.move()
  }

  /// Binds a value, which is of the type that the codec was made for.
  @inlinable func encode<Value>(_ value: Value, to parameter: borrowing Parameter) throws(RosterError) {
    let memory = UnsafeMutablePointer<Value>.allocate(capacity: 1)
    memory.initialize(to: value)
    defer {
      memory.deinitialize(count: 1)
      memory.deallocate()
    }
    try encode(UnsafeRawPointer(memory), parameter)
  }
}

/// What a column is like, whatever its type.
@usableFromInline struct ColumnTraits: Sendable {
  let storageClass: StorageClass
  let isOptional: Bool
  /// Whether stored values sort as the property's values do.
  let keepsOrder: Bool
  /// Whether the stored value is another than the property's own.
  @usableFromInline let isConverted: Bool
  /// Whether the column can hold text of any kind, as one of dates or UUIDs cannot.
  var isFreeText = false

  @usableFromInline init(
    storageClass: StorageClass, isOptional: Bool, keepsOrder: Bool, isConverted: Bool = false
  ) {
    self.storageClass = storageClass
    self.isOptional = isOptional
    self.keepsOrder = keepsOrder
    self.isConverted = isConverted
  }
}
