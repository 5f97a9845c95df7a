public import struct Foundation.Data

/// A type whose values can be stored in a column.
///
/// `Int`, `Int64`, the fixed-width integers up to 32 bits, `Double`, `Bool`, `String`, `Data`, `UUID`, `Date`
/// and their optionals are column values. An enum with a raw value becomes one by saying so:
///
/// ```swift
/// enum Priority: Int, ColumnValue { case high = 1, medium, low }
/// ```
public protocol ColumnValue: Sendable {
  /// The storage class that values are written in.
  static var storageClass: StorageClass { get }

  /// Whether nil is a value, stored as NULL. The schema check compares it with the column's NOT NULL.
  static var isOptional: Bool { get }

  /// Reads the value of a column.
  ///
  /// - Throws: ``RosterError/Code/typeMismatch`` where what is stored is no value of this type.
  init(from cell: borrowing Cell) throws(RosterError)

  /// Puts the value into a statement's parameter.
  ///
  /// - Throws: ``RosterError/Code/valueNotRepresentable`` where the database has no representation for it.
  func encode(to parameter: borrowing Parameter) throws(RosterError)
}

extension ColumnValue {
  /// False: only optionals are.
  @inlinable public static var isOptional: Bool { false }
}

extension Int: ColumnValue {
  public static var storageClass: StorageClass { .integer }
  public init(from cell: borrowing Cell) throws(RosterError) { self = try Int(integer: cell) }
  public func encode(to parameter: borrowing Parameter) throws(RosterError) { try parameter.bind(Int64(self)) }
}

extension Int64: ColumnValue {
  public static var storageClass: StorageClass { .integer }
  public init(from cell: borrowing Cell) throws(RosterError) { self = try cell.int64() }
  public func encode(to parameter: borrowing Parameter) throws(RosterError) { try parameter.bind(self) }
}

extension FixedWidthInteger {
  fileprivate init(integer cell: borrowing Cell) throws(RosterError) {
    guard let value = Self(exactly: try cell.int64()) else {
      throw cell.mismatch("an integer from \(Self.min) to \(Self.max)")
    }
    self = value
  }
}

extension Int8: ColumnValue {
  public static var storageClass: StorageClass { .integer }
  public init(from cell: borrowing Cell) throws(RosterError) { self = try Int8(integer: cell) }
  public func encode(to parameter: borrowing Parameter) throws(RosterError) { try parameter.bind(Int64(self)) }
}

extension Int16: ColumnValue {
  public static var storageClass: StorageClass { .integer }
  public init(from cell: borrowing Cell) throws(RosterError) { self = try Int16(integer: cell) }
  public func encode(to parameter: borrowing Parameter) throws(RosterError) { try parameter.bind(Int64(self)) }
}

extension Int32: ColumnValue {
  public static var storageClass: StorageClass { .integer }
  public init(from cell: borrowing Cell) throws(RosterError) { self = try Int32(integer: cell) }
  public func encode(to parameter: borrowing Parameter) throws(RosterError) { try parameter.bind(Int64(self)) }
}

extension UInt8: ColumnValue {
  public static var storageClass: StorageClass { .integer }
  public init(from cell: borrowing Cell) throws(RosterError) { self = try UInt8(integer: cell) }
  public func encode(to parameter: borrowing Parameter) throws(RosterError) { try parameter.bind(Int64(self)) }
}

extension UInt16: ColumnValue {
  public static var storageClass: StorageClass { .integer }
  public init(from cell: borrowing Cell) throws(RosterError) { self = try UInt16(integer: cell) }
  public func encode(to parameter: borrowing Parameter) throws(RosterError) { try parameter.bind(Int64(self)) }
}

extension UInt32: ColumnValue {
  public static var storageClass: StorageClass { .integer }
  public init(from cell: borrowing Cell) throws(RosterError) { self = try UInt32(integer: cell) }
  public func encode(to parameter: borrowing Parameter) throws(RosterError) { try parameter.bind(Int64(self)) }
}

/// NaN is refused. SQLite stores -0.0 as 0.0, which is equal to it.
extension Double: ColumnValue {
  public static var storageClass: StorageClass { .real }
  public init(from cell: borrowing Cell) throws(RosterError) { self = try cell.double() }
  public func encode(to parameter: borrowing Parameter) throws(RosterError) { try parameter.bind(self) }
}

/// Stored as 0 and 1. Any other integer reads as true.
extension Bool: ColumnValue {
  public static var storageClass: StorageClass { .integer }
  public init(from cell: borrowing Cell) throws(RosterError) { self = try cell.int64() != 0 }
  public func encode(to parameter: borrowing Parameter) throws(RosterError) {
    try parameter.bind(self ? 1 as Int64 : 0)
  }
}

/// Stored as its UTF-8 bytes, NUL characters included. Bytes that are not valid UTF-8, which only other
/// programs can have written, read as U+FFFD; an update that leaves the text alone leaves the bytes alone.
extension String: ColumnValue {
  public static var storageClass: StorageClass { .text }
  public init(from cell: borrowing Cell) throws(RosterError) { self = try cell.string() }
  public func encode(to parameter: borrowing Parameter) throws(RosterError) { try parameter.bind(self) }
}

extension Data: ColumnValue {
  public static var storageClass: StorageClass { .blob }
  public init(from cell: borrowing Cell) throws(RosterError) { self = try cell.data() }
  public func encode(to parameter: borrowing Parameter) throws(RosterError) { try parameter.bind(self) }
}

/// nil is NULL.
extension Optional: ColumnValue where Wrapped: ColumnValue {
  @inlinable public static var storageClass: StorageClass { Wrapped.storageClass }
  @inlinable public static var isOptional: Bool { true }

  @inlinable public init(from cell: borrowing Cell) throws(RosterError) {
    if cell.isNull {
      self = .none
    } else {
      self = .some(try Wrapped(from: cell))
    }
  }

  @inlinable public func encode(to parameter: borrowing Parameter) throws(RosterError) {
    switch self {
    case .none: try parameter.bindNull()
    case .some(let value): try value.encode(to: parameter)
    }
  }
}

/// Stored as its raw value.
extension ColumnValue where Self: RawRepresentable, RawValue: ColumnValue {
  /// That of the raw value.
  @inlinable public static var storageClass: StorageClass { RawValue.storageClass }

  /// - Throws: ``RosterError/Code/typeMismatch`` where the stored raw value is none of the type's.
  @inlinable public init(from cell: borrowing Cell) throws(RosterError) {
    guard let value = Self(rawValue: try RawValue(from: cell)) else {
      throw cell.mismatch("the raw value of a \(Self.self)")
    }
    self = value
  }

  /// Stores the raw value.
  @inlinable public func encode(to parameter: borrowing Parameter) throws(RosterError) {
    try rawValue.encode(to: parameter)
  }
}
