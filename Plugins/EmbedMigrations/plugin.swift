import Foundation
import PackagePlugin

/// Embeds the `Migrations` folder of a target in it, as `embeddedMigrations`.
@main
struct EmbedMigrations: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    // The unresolved path: SwiftPM watches the target's folder, through a symbolic link too, but not a
    // folder elsewhere that a link leads to.
    let folder = target.directoryURL.appending(path: "Migrations", directoryHint: .isDirectory)
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: folder.path, isDirectory: &isFolder), isFolder.boolValue
    else {
      Diagnostics.error(
        "EmbedMigrations: the target '\(target.name)' has no folder '\(folder.path)'; "
          + "make one that holds files named NNNN_name.sql, or a symbolic link to it")
      return []
    }

    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { !$0.hasPrefix(".") && $0.lowercased().hasSuffix(".sql") }
      .sorted()
      .map { folder.appending(path: $0, directoryHint: .notDirectory) }
    let output = context.pluginWorkDirectoryURL.appending(
      path: "EmbeddedMigrations.swift", directoryHint: .notDirectory)
    return [
      .buildCommand(
        displayName: "Embedding the migrations of \(target.name)",
        executable: try context.tool(named: "roster-embed").url,
        arguments: [folder.path, output.path],
        // The folder itself is an input for the sake of files that are added, renamed or removed.
        inputFiles: [folder] + files,
        outputFiles: [output])
    ]
  }
}
