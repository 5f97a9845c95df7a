// swift-tools-version: 6.2
import PackageDescription

// A package outside that depends on Roster, as an app would. ./dev consumer-test puts the address and the
// revision in place of the two words in capitals.
let package = Package(
  name: "Consumer",
  platforms: [.macOS(.v15)],
  dependencies: [.package(url: "ROSTER_URL", revision: "ROSTER_REVISION")],
  targets: [
    // The README's example, with no settings of its own.
    .executableTarget(
      name: "Example",
      dependencies: [.product(name: "Roster", package: "Roster")],
      exclude: ["Migrations"],
      plugins: [.plugin(name: "EmbedMigrations", package: "Roster")]
    ),
    // A target with the strict settings of the library itself, and the main actor as its default.
    .executableTarget(
      name: "Checks",
      dependencies: [.product(name: "Roster", package: "Roster")],
      exclude: ["Migrations"],
      swiftSettings: [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        .defaultIsolation(MainActor.self),
        .treatAllWarnings(as: .error),
      ],
      plugins: [.plugin(name: "EmbedMigrations", package: "Roster")]
    ),
  ],
  swiftLanguageModes: [.v6]
)
