// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import DocumentEngine
internal import DocumentModel

struct SetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Write one document, new or replacing the old one; creates the database if it is missing.",
        discussion: """
            With --merge the fields that are given replace those of the document, and the others stay.

            Examples:
              hearth set my.db cities/SF '{"name":"San Francisco","population":860000}'
              hearth set my.db cities/SF '{"population":860001}' --merge
              hearth set my.db cities/SF --lossless \\
                '{"founded":{"timestampValue":"1776-06-29T00:00:00Z"}}'
            """)

    @OptionGroup var database: DatabaseArgument
    @Argument(help: "The document's path, such as cities/SF, or its full name.")
    var document: String
    @OptionGroup var fields: FieldsArgument
    @Flag(help: "Keep the fields that are not given.")
    var merge = false

    func validate() throws {
        _ = try DocumentPath(argument: document, writing: true)
        if let named { _ = try DatabaseID(named: named.project.string, named.database.string) }
    }

    /// What a missing database becomes; nil for the default names.
    private var named: DatabaseID? { DatabaseID.named(in: document) }

    func run() throws {
        let read = try fields.read()
        try database.open(.creatingIfMissing(named)) { engine in
            let path = try DocumentPath(argument: document, in: engine.database, writing: true)
            let fields = try read(engine.database)
            let mask = merge ? SetCommand.leaves(of: fields, under: []) : nil
            _ = try engine.commit([Write(path, .update(fields, mask: mask, transforms: []))])
        }
    }

    /// The paths that a merge replaces: every field that is not a non-empty map, at any depth.
    private static func leaves(of fields: Fields, under parent: [Text]) -> [FieldPath] {
        fields.storage.flatMap { field in
            let path = parent + [field.name]
            guard case .map(let inner) = field.value, !inner.isEmpty else { return [FieldPath(path)] }
            return leaves(of: inner, under: path)
        }
    }
}
