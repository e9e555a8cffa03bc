// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import DocumentModel
internal import IndexCatalog

struct DiffCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff",
        abstract: "Print what differs between two index files once both are canonical.",
        discussion: """
            Order, spelling of __name__, comments and white space make no difference. A line that starts with - is \
            in the first file only, a line with + in the second only. Ends with 1 if there is a difference.

            Example:
              hearth diff firestore.indexes.json deployed.indexes.json
            """)

    @Argument(help: "An index file; - for standard input.", completion: .file(extensions: ["json"]))
    var first: String
    @Argument(help: "Another one.", completion: .file(extensions: ["json"]))
    var second: String

    func run() throws {
        let old = try ConfigurationFile.sound(first, appendingNameBy: .officialTool).configuration
        let new = try ConfigurationFile.sound(second, appendingNameBy: .officialTool).configuration
        let output = Output()
        let lines =
            DiffCommand.lines(old.indexes.map(DiffCommand.text), new.indexes.map(DiffCommand.text))
            + DiffCommand.lines(old.fieldOverrides.map(DiffCommand.text), new.fieldOverrides.map(DiffCommand.text))
        let style = Style.of(System.standardOutput)
        for line in lines { output.line(line.hasPrefix("-") ? style.red(line) : style.green(line)) }
        if !lines.isEmpty { throw ExitCode.found }
    }

    private static func lines(_ old: [String], _ new: [String]) -> [String] {
        let (before, after) = (Set(old), Set(new))
        let removed = old.filter { !after.contains($0) }.map { "- \($0)" }
        return (removed + new.filter { !before.contains($0) }.map { "+ \($0)" })
            .sorted { ($0.dropFirst(2), $0) < ($1.dropFirst(2), $1) }
    }

    private static func text(_ definition: IndexDefinition) -> String { "index \(properties(definition))" }

    private static func text(_ override: FieldOverride) -> String {
        let modes = override.indexes.map { "\($0.scope.wireName) \($0.mode)" }.sorted().joined(separator: ", ")
        let timeToLive = override.timeToLive.map { ", ttl \($0)" } ?? ""
        return
            "override \(override.collectionGroup) \(override.path?.wire ?? "*"): \(modes.isEmpty ? "none" : modes)\(timeToLive)"
    }
}
