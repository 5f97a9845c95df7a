/// A property of a record and the column that stores it.
public struct Column<Root, Value: Sendable>: Sendable {
  /// The column's name in the database.
  public let name: String
  @usableFromInline let keyPath: any KeyPath<Root, Value> & Sendable
  @usableFromInline let codec: TypedCodec<Value>
  @usableFromInline let traits: ColumnTraits

  @usableFromInline init(
    name: String, keyPath: any KeyPath<Root, Value> & Sendable, codec: TypedCodec<Value>, traits: ColumnTraits
  ) {
    self.name = name
    self.keyPath = keyPath
    self.codec = codec
    self.traits = traits
  }

  /// A column that stores the property as its type does.
  @inlinable public init(_ name: String, _ keyPath: any KeyPath<Root, Value> & Sendable) where Value: ColumnValue {
    self.init(
      name: name, keyPath: keyPath, codec: PlainCodec<Value>(),
      traits: ColumnTraits(storageClass: Value.storageClass, isOptional: Value.isOptional, keepsOrder: true))
  }

  /// A column that stores the property by a conversion.
  ///
  /// Where this and the one for optionals both fit, as with JSON, the other is taken, and nil is NULL.
  @_disfavoredOverload
  public init<Stored: ColumnValue>(
    _ name: String, _ keyPath: any KeyPath<Root, Value> & Sendable, as conversion: ColumnConversion<Value, Stored>
  ) {
    self.init(
      name: name, keyPath: keyPath, codec: ConvertedCodec(name: name, conversion: conversion),
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
