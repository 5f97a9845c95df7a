// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .treatAllWarnings(as: .error),
]

let package = Package(
  name: "Roster",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "Roster", targets: ["Roster"]),
    .library(name: "TodoModel", targets: ["TodoModel"]),
    .executable(name: "todo-db", targets: ["todo-db"]),
    .plugin(name: "EmbedMigrations", targets: ["EmbedMigrations"]),
  ],
  targets: [
    .systemLibrary(
      name: "CSQLite",
      pkgConfig: "sqlite3",
      providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite3"])]
    ),
    .target(name: "MigrationFiles", swiftSettings: strict),
    .target(name: "Roster", dependencies: ["CSQLite", "MigrationFiles"], swiftSettings: strict),
    .executableTarget(name: "roster-embed", dependencies: ["MigrationFiles"], swiftSettings: strict),
    .plugin(name: "EmbedMigrations", capability: .buildTool(), dependencies: ["roster-embed"]),
    .target(
      name: "TodoModel",
      dependencies: ["Roster"],
      // A symbolic link to the top-level folder: SwiftPM watches target folders only, so that
      // without it an added, renamed or removed migration would not rebuild the target.
      exclude: ["Migrations"],
      swiftSettings: strict,
      plugins: ["EmbedMigrations"]
    ),
    .executableTarget(name: "todo-db", dependencies: ["Roster", "TodoModel"], swiftSettings: strict),
    .executableTarget(
      name: "roster-bench",
      dependencies: ["Roster", "CSQLite"],
      path: "Benchmarks",
      exclude: ["Charts"],
      swiftSettings: strict
    ),
    .executableTarget(
      name: "test-writer",
      dependencies: ["Roster"],
      path: "Tests/TestWriter",
      swiftSettings: strict
    ),
    .testTarget(
      name: "RosterTests",
      dependencies: ["Roster", "MigrationFiles", "test-writer"],
      swiftSettings: strict
    ),
    .testTarget(
      name: "TodoDBTests",
      dependencies: ["todo-db", "TodoModel", "Roster"],
      exclude: ["Fixtures"],
      swiftSettings: strict
    ),
    .testTarget(name: "BenchTests", dependencies: ["roster-bench"], swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6]
)
