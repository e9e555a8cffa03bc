// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import DocumentEngine
internal import IndexCatalog

struct IndexesApplyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "apply",
        abstract: "Make the database's indexes those of a file, and build what is new.",
        discussion: """
            Indexes that the file lacks stay, unless --prune is given. Entries with errors are left out, and the command \
            then ends with 1; with --prune, a file with errors changes nothing. A missing database is created.

            Other programs read and write meanwhile. After an interruption, the next apply continues.

            Examples:
              hearth indexes apply my.db firestore.indexes.json
              hearth indexes apply my.db firestore.indexes.json --prune
            """)

    @OptionGroup var database: DatabaseArgument
    @Argument(help: "A firestore.indexes.json; - for standard input.", completion: .file(extensions: ["json"]))
    var config: String
    @Flag(help: "Drop composite indexes and field overrides that the file lacks.")
    var prune = false

    func run() throws {
        // An entry that cannot be read must not drop an index.
        let file = try prune ? ConfigurationFile.valid(config) : ConfigurationFile.usable(config)
        file.warnOfContradictions()
        let configuration = file.configuration
        try database.open(.creating(nil)) { engine in
            let before = try engine.catalog()
            let progress = ProgressBar("Building indexes")
            try engine.apply(configuration, prune: prune) {
                progress.show(documents: $0.documents, fraction: $0.fraction)
            }
            progress.finish()
            report(before, try engine.catalog())
        }
        try file.endAsRead()
    }

    private func report(_ before: CatalogSnapshot, _ after: CatalogSnapshot) {
        let old = Set(before.composites.map(\.definition))
        let new = Set(after.composites.map(\.definition))
        let output = Output()
        let style = Style.of(System.standardOutput)
        for composite in after.composites where !old.contains(composite.definition) {
            output.line("\(style.green("built")) \(properties(composite.definition))")
        }
        for composite in before.composites where !new.contains(composite.definition) {
            output.line("\(style.yellow("dropped")) \(properties(composite.definition))")
        }
        let composites = Numbers.counted(after.composites.count, "composite index", "composite indexes")
        let overrides = Numbers.counted(after.indexes.fieldOverrides.count, "field override")
        output.line("\(composites) and \(overrides) in force")
    }

}
