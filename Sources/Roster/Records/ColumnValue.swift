public import Foundation

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

  /// Initialises the memory with the value of a cell.
  @inlinable static func decode(_ cell: borrowing Cell, into memory: UnsafeMutableRawPointer) throws(RosterError) {
    memory.initializeMemory(as: Self.self, to: try Self(from: cell))
  }

  /// Binds the value that the memory holds.
  @inlinable static func encode(at memory: UnsafeRawPointer, to parameter: borrowing Parameter) throws(RosterError) {
    try memory.assumingMemoryBound(to: Self.self).pointee.encode(to: parameter)
  }
}

extension Int: ColumnValue {}
extension Int64: ColumnValue {}
extension Int32: ColumnValue {}
extension Int16: ColumnValue {}
extension Int8: ColumnValue {}
extension UInt32: ColumnValue {}
extension UInt16: ColumnValue {}
extension UInt8: ColumnValue {}

/// Stored as integers.
extension ColumnValue where Self: FixedWidthInteger {
  /// Integers.
  public static var storageClass: StorageClass { .integer }

  /// Reads an integer.
  ///
  /// - Throws: ``RosterError/Code/typeMismatch`` for one that the type cannot hold.
  public init(from cell: borrowing Cell) throws(RosterError) {
    guard let value = Self(exactly: try cell.int64()) else {
      throw cell.mismatch("an integer from \(Self.min) to \(Self.max)")
    }
    self = value
  }

  /// Binds an integer.
  ///
  /// - Throws: ``RosterError/Code/valueNotRepresentable`` for one beyond 64 bits with a sign.
  public func encode(to parameter: borrowing Parameter) throws(RosterError) {
    guard let value = Int64(exactly: self) else {
      throw RosterError(.valueNotRepresentable, "An integer beyond \(Int64.max) cannot be stored.")
    }
    try parameter.bind(value)
  }
}

/// NaN is refused. SQLite stores -0.0 as 0.0, which is equal to it.
extension Double: ColumnValue {
  /// Numbers.
  public static var storageClass: StorageClass { .real }

  /// Reads a number.
  public init(from cell: borrowing Cell) throws(RosterError) { self = try cell.double() }

  /// Binds a number; NaN is refused.
  public func encode(to parameter: borrowing Parameter) throws(RosterError) { try parameter.bind(self) }
}

/// Stored as 0 and 1. Any other integer reads as true.
extension Bool: ColumnValue {
  /// Integers.
  public static var storageClass: StorageClass { .integer }

  /// Reads 0 as false and any other integer as true.
  public init(from cell: borrowing Cell) throws(RosterError) { self = try cell.int64() != 0 }

  /// Binds 0 or 1.
  public func encode(to parameter: borrowing Parameter) throws(RosterError) {
    try parameter.bind(self ? 1 as Int64 : 0)
  }
}

/// Stored as its UTF-8 bytes, NUL characters included. Bytes that are not valid UTF-8, which only other
/// programs can have written, read as U+FFFD; an update that leaves the text alone leaves the bytes alone.
extension String: ColumnValue {
  /// Text.
  public static var storageClass: StorageClass { .text }

  /// Reads text.
  public init(from cell: borrowing Cell) throws(RosterError) { self = try cell.string() }

  /// Binds text.
  public func encode(to parameter: borrowing Parameter) throws(RosterError) { try parameter.bind(self) }
}

extension Data: ColumnValue {
  /// Blobs.
  public static var storageClass: StorageClass { .blob }

  /// Reads a blob.
  public init(from cell: borrowing Cell) throws(RosterError) { self = try cell.data() }

  /// Binds a blob.
  public func encode(to parameter: borrowing Parameter) throws(RosterError) { try parameter.bind(self) }
}

/// nil is NULL.
extension Optional: ColumnValue where Wrapped: ColumnValue {
  /// That of the wrapped type.
  @inlinable public static var storageClass: StorageClass { Wrapped.storageClass }
  /// True.
  @inlinable public static var isOptional: Bool { true }

  // Unspecialised, the type of the optional is looked up in the runtime's table of generic types for each value.

  /// Reads NULL as nil.
  @_specialize(exported:false,where Wrapped == Date)
  @_specialize(exported:false,where Wrapped == String)
  @_specialize(exported:false,where Wrapped == Int)
  @_specialize(exported:false,where Wrapped == UUID)
  @_specialize(exported:false,where Wrapped == Double)
  public init(from cell: borrowing Cell) throws(RosterError) {
    if cell.isNull {
      self = .none
    } else {
      self = .some(try Wrapped(from: cell))
    }
  }

  /// Binds nil as NULL.
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
