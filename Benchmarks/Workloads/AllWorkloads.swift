extension Workload {
  /// All of them, in the order in which they run.
  static var all: [Workload] { records + moves + pages + lists + sections + feed + search + opening + space }
}
