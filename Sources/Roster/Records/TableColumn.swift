import Foundation

/// A column of a table with the types of the property and of the record erased.
@usableFromInline struct TableColumn: Sendable {
  let name: String
  let keyPath: any AnyKeyPath & Sendable
  let valueType: any Any.Type
  @usableFromInline private(set) var traits: ColumnTraits
  @usableFromInline let codec: ColumnCodec
  /// Where the stored property lies in the record; nil for a computed one.
  @usableFromInline let offset: Int?
  private let read: @Sendable (UnsafeRawPointer, borrowing Parameter) throws(RosterError) -> Void
  private let convert: @Sendable (Any) -> SQLArgument?

  @inlinable init<R: Record, Value: Sendable>(_ column: Column<R, Value>) {
    let (keyPath, codec) = (column.keyPath, column.codec)
    self.init(
      name: column.name, keyPath: keyPath, valueType: Value.self, traits: column.traits, codec: codec,
      offset: MemoryLayout<R>.offset(of: keyPath),
      read: { (record, parameter) throws(RosterError) in
        try codec.encode(record.assumingMemoryBound(to: R.self).pointee[keyPath: keyPath], to: parameter)
      },
      convert: { any in
        // A cast, since a predicate's literal can be of the property's type or of the type it wraps.
        guard let value = any as? Value else { return nil }
        return SQLArgument { (parameter) throws(RosterError) in try codec.encode(value, to: parameter) }
      })
  }

  @usableFromInline init(
    name: String, keyPath: any AnyKeyPath & Sendable, valueType: any Any.Type, traits: ColumnTraits,
    codec: ColumnCodec, offset: Int?,
    read: @escaping @Sendable (UnsafeRawPointer, borrowing Parameter) throws(RosterError) -> Void,
    convert: @escaping @Sendable (Any) -> SQLArgument?
  ) {
    self.name = name
    self.keyPath = keyPath
    self.valueType = valueType
    self.traits = traits
    self.traits.isFreeText =
      traits.storageClass == .text && ![UUID.self, UUID?.self, Date.self, Date?.self].contains { $0 == valueType }
    self.codec = codec
    self.offset = offset
    self.read = read
    self.convert = convert
  }

  /// Binds the property of the record that the memory holds.
  @usableFromInline func encode(_ record: UnsafeRawPointer, _ parameter: borrowing Parameter) throws(RosterError) {
    if let offset {
      try codec.encode(record + offset, parameter)
    } else {
      try read(record, parameter)
    }
  }

  /// A value of the property's type as the column stores it; nil where the value is of another type.
  func argument(_ value: Any) -> SQLArgument? { convert(value) }
}
