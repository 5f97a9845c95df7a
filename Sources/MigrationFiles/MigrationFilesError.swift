/// Everything that is wrong with a folder of migrations, at once.
package struct MigrationFilesError: Error, Sendable, Equatable, CustomStringConvertible {
  /// Why a file is no migration.
  package enum Reason: Error, Sendable, Equatable {
    /// The name isn't of the form `NNNN_name.sql`.
    case badName
    /// The number is 0.
    case numberZero
    /// The number doesn't fit in an `Int`.
    case numberTooLarge
    /// The number is the one of another file, which comes first by name.
    case duplicateNumber(Int, of: String)
    /// The file or the folder can't be read, for the reason that the system gives.
    case unreadable(String)
    /// The bytes at this offset from the start of the file, counted from 0, are not UTF-8.
    case notUTF8(byteOffset: Int)
  }

  /// One file and what is wrong with it.
  package struct Fault: Sendable, Equatable {
    /// The file's path, or the folder's where it is the folder that can't be read.
    package let path: String
    /// What is wrong.
    package let reason: Reason

    /// Makes a fault.
    package init(path: String, reason: Reason) {
      self.path = path
      self.reason = reason
    }
  }

  /// The faults, by file name. There is at least one.
  package let faults: [Fault]

  /// Makes an error of the faults found.
  package init(faults: [Fault]) {
    self.faults = faults
  }

  /// One line per fault: `path: error: message`, as compilers print them.
  package var description: String {
    faults.map { "\($0.path): error: \($0.reason)" }.joined(separator: "\n")
  }
}

extension MigrationFilesError.Reason: CustomStringConvertible {
  /// A sentence that says what is wrong and what would be right.
  package var description: String {
    switch self {
    case .badName:
      "a migration is named NNNN_name.sql: four digits or more, an underscore, then letters (a to z), "
        + "digits, '_' or '-'"
    case .numberZero: "migrations are numbered from 1"
    case .numberTooLarge: "the number is too large: at most \(Int.max)"
    case .duplicateNumber(let number, let other): "the number \(number) is taken by \(other)"
    case .unreadable(let why): "can't be read: \(why)"
    case .notUTF8(let offset): "not UTF-8 at byte \(offset), counted from 0"
    }
  }
}
