// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import DocumentEngine
internal import DocumentModel

struct UpdateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "update",
        abstract: "Change fields of a document that exists.",
        discussion: """
            The keys are field paths: "address.city" changes one field inside a map and leaves its neighbours alone. A \
            name that is not a plain identifier is written in backticks. Ends with 1 if there is no such document.

            Examples:
              hearth update my.db cities/SF '{"population":860001,"mayor.since":2025}'
              hearth update my.db cities/SF --lossless \\
                '{"population":{"integerValue":"860001"}}'
            """)

    @OptionGroup var database: DatabaseArgument
    @Argument(help: "The document's path, such as cities/SF, or its full name.")
    var document: String
    @OptionGroup var fields: FieldsArgument

    func validate() throws { _ = try DocumentPath(argument: document, writing: true) }

    func run() throws {
        let read = try fields.read()
        try database.open(.writing) { engine in
            let path = try DocumentPath(argument: document, in: engine.database, writing: true)
            let given = try read(engine.database)
            let mask = try paths(given)
            var changed = Fields.empty
            for (path, field) in zip(mask, given.storage) { changed.set(field.value, at: path) }
            let operation = Write.Operation.update(changed, mask: mask, transforms: [])
            _ = try engine.commit([Write(path, operation, precondition: .exists(true))])
        }
    }

    private func paths(_ fields: Fields) throws -> [FieldPath] {
        let paths = try fields.storage.map { field in
            do {
                let isQuoted = field.name.string.utf8.contains(UInt8(ascii: "`"))
                return try isQuoted ? FieldPath(wire: field.name.string) : FieldPath(dotted: field.name.string)
            } catch let error as FieldPathError {
                throw ValidationError(error.message)
            }
        }
        for path in paths {
            if let inner = paths.first(where: { $0 != path && path.isPrefix(of: $0) }) {
                throw ValidationError("\(path) and \(inner) cannot be changed at once: one is inside the other")
            }
        }
        return paths
    }
}
