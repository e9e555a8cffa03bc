// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import DocumentModel
internal import IndexCatalog
internal import JSONText

struct DiffCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff",
        abstract: "Print what differs between two index files once both are canonical.",
        discussion: """
            Order, spelling of __name__, comments and white space make no difference. A line that starts with - is \
            in the first file only, a line with + in the second only. Ends with 1 if there is a difference, or if entries \
            with errors were left out.

            --live compares with what a database has, as gcloud prints it: a line with - is not deployed, a line with + \
            is not in the file. Overrides are compared if the listing has fields.

            Examples:
              hearth diff firestore.indexes.json deployed.indexes.json
              gcloud firestore indexes composite list --format=json > live.json
              hearth diff firestore.indexes.json --live live.json
            """)

    @Argument(help: "An index file; - for standard input.", completion: .file(extensions: ["json"]))
    var first: String
    @Argument(help: "Another one.", completion: .file(extensions: ["json"]))
    var second: String?
    @Option(
        help: ArgumentHelp("A listing of gcloud, in JSON, instead of another file.", valueName: "listing"),
        completion: .file(extensions: ["json"]))
    var live: String?
    @OptionGroup var database: EditionOption

    func validate() throws {
        guard (second == nil) != (live == nil) else {
            throw ValidationError("name another index file, or a listing with --live")
        }
    }

    func run() throws {
        let old = try ConfigurationFile.usable(first, appendingNameBy: .officialTool, edition: database.edition)
        let new = try ConfigurationFile.usable(
            second ?? live ?? "-", appendingNameBy: .officialTool, edition: database.edition ?? old.edition,
            isListing: live != nil)
        if live != nil { reportUnready(new) }
        let comparesFields = live == nil || IndexListing.listsFields(new.source)
        let output = Output()
        let (before, after) = (try DiffCommand.entries(old), try DiffCommand.entries(new))
        let lines =
            DiffCommand.lines(before.indexes, after.indexes)
            + (comparesFields ? DiffCommand.lines(before.overrides, after.overrides) : [])
        let style = Style.of(System.standardOutput)
        for line in lines { output.line(line.hasPrefix("-") ? style.red(line) : style.green(line)) }
        if !lines.isEmpty { throw ExitCode.found }
        try old.endAsRead()
        try new.endAsRead()
    }

    private func reportUnready(_ listing: ConfigurationFile) {
        for (name, state) in IndexListing.unready(listing.source) {
            Diagnostics.write("hearth: \(name) is \(state): queries cannot use it yet")
        }
    }

    /// In the Standard edition the definitions are all that there is to a file. Others have options.
    private static func entries(_ file: ConfigurationFile) throws -> (indexes: [String], overrides: [String]) {
        guard file.edition != .standard else {
            return (file.configuration.indexes.map(text), file.configuration.fieldOverrides.map(text))
        }
        let node = try ConfigurationFormatter.node(file.source, for: file.edition, except: file.settings.harmless)
        return (
            (node["indexes"]?.elements ?? []).map { "index \(withoutDefaults($0).text())" },
            (node["fieldOverrides"]?.elements ?? []).map { "override \(sorted($0).text())" }
        )
    }

    /// Neither the order of keys nor that of an override's indexes says anything.
    private static func sorted(_ override: JSONNode) -> JSONNode {
        let members = (override.members ?? []).map { member in
            guard member.key == "indexes", let indexes = member.node.elements else { return member }
            let entries = indexes.map { sorted(withoutDefaults($0)) }
            return JSONMember(key: member.key, node: .array(entries.sorted { $0.text() < $1.text() }))
        }
        return JSONNode(.object(members.sorted { $0.key < $1.key }))
    }

    /// J-24.
    private static func withoutDefaults(_ entry: JSONNode) -> JSONNode {
        JSONNode(
            .object(
                (entry.members ?? []).filter { member in
                    switch member.key {
                    case "apiScope": member.node.string != "ANY_API"
                    case "density": member.node.string != "DENSE" && member.node.string != "DENSITY_UNSPECIFIED"
                    case "multikey", "unique": member.node.boolean != false
                    default: true
                    }
                }))
    }

    private static func lines(_ old: [String], _ new: [String]) -> [String] {
        let (before, after) = (Set(old), Set(new))
        let removed = old.filter { !after.contains($0) }.map { "- \($0)" }
        return (removed + new.filter { !before.contains($0) }.map { "+ \($0)" })
            .sorted { ($0.dropFirst(2), $0) < ($1.dropFirst(2), $1) }
    }

    private static func text(_ definition: IndexDefinition) -> String { "index \(properties(definition))" }

    private static func text(_ override: FieldOverride) -> String { "override \(properties(override))" }
}
