/// A property of a record and the column that stores it.
public struct Column<Root, Value: Sendable>: Sendable {
  /// The column's name in the database.
  public let name: String
  @usableFromInline let keyPath: any KeyPath<Root, Value> & Sendable
  // Where the stored property lies in the record. Reading it there costs nothing; a key path costs a call.
  @usableFromInline let offset: Int?
  @usableFromInline let decode: @Sendable (borrowing Cell) throws(RosterError) -> Value
  @usableFromInline let encode: @Sendable (Value, borrowing Parameter) throws(RosterError) -> Void
  @usableFromInline let traits: ColumnTraits

  @usableFromInline init(
    name: String, keyPath: any KeyPath<Root, Value> & Sendable, traits: ColumnTraits,
    decode: @escaping @Sendable (borrowing Cell) throws(RosterError) -> Value,
    encode: @escaping @Sendable (Value, borrowing Parameter) throws(RosterError) -> Void
  ) {
    self.name = name
    self.keyPath = keyPath
    self.traits = traits
    self.decode = decode
    self.encode = encode
    offset = MemoryLayout<Root>.offset(of: keyPath)
  }

  /// A column that stores the property as its type does.
  @inlinable public init(_ name: String, _ keyPath: any KeyPath<Root, Value> & Sendable) where Value: ColumnValue {
    self.init(
      name: name, keyPath: keyPath,
      traits: ColumnTraits(storageClass: Value.storageClass, isOptional: Value.isOptional, keepsOrder: true),
      decode: { (cell) throws(RosterError) in try Value(from: cell) },
      encode: { (value, parameter) throws(RosterError) in try value.encode(to: parameter) })
  }

  /// A column that stores the property by a conversion.
  public init<Stored: ColumnValue>(
    _ name: String, _ keyPath: any KeyPath<Root, Value> & Sendable, as conversion: ColumnConversion<Value, Stored>
  ) {
    self.init(
      name: name, keyPath: keyPath,
      traits: ColumnTraits(
        storageClass: Stored.storageClass, isOptional: Stored.isOptional, keepsOrder: conversion.keepsOrder,
        isConverted: true),
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
      })
  }

  /// A column that stores an optional property by a conversion of what it holds; nil is NULL.
  public init<Wrapped: Sendable, Stored: ColumnValue>(
    _ name: String, _ keyPath: any KeyPath<Root, Value> & Sendable, as conversion: ColumnConversion<Wrapped, Stored>
  ) where Value == Wrapped? {
    self.init(name, keyPath, as: conversion.optional())
  }

  /// The property of a record.
  @inlinable func value(of record: borrowing Root) -> Value where Root: Copyable {
    guard let offset else { return (copy record)[keyPath: keyPath] }
    return withUnsafePointer(to: record) { pointer in
      // The offset is the compiler's own for a stored property of this type.
      (UnsafeRawPointer(pointer) + offset).assumingMemoryBound(to: Value.self).pointee
    }
  }
}

/// What a column is like, whatever its type.
@usableFromInline struct ColumnTraits: Sendable {
  let storageClass: StorageClass
  let isOptional: Bool
  /// Whether stored values sort as the property's values do.
  let keepsOrder: Bool
  /// Whether the stored value is another than the property's own.
  let isConverted: Bool
  /// Whether the column can hold text that no value of the property's type would have written.
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
