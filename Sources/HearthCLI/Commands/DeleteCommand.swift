// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import DocumentEngine
internal import DocumentModel

struct DeleteCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Delete a document, or with --recursive everything below it too.",
        discussion: """
            Documents in collections below it stay unless --recursive is given, which also takes a collection. Deleting \
            a missing document is not an error.

            With --recursive, documents are deleted in the order of their names, in commits of up to a thousand: programs \
            that read meanwhile see a part of them. After an interruption, run the command again to delete the rest.

            Examples:
              hearth delete my.db cities/SF
              hearth delete my.db cities/SF --recursive
              hearth delete my.db cities --recursive
            """)

    @OptionGroup var database: DatabaseArgument
    @Argument(
        help: "The document's path, such as cities/SF, or its full name; with --recursive also a collection's.")
    var path: String
    @Flag(help: "Delete everything below it too.")
    var recursive = false

    func validate() throws { _ = try resource() }

    func run() throws {
        try database.open(.writing) { engine in
            let resource = try self.resource(in: engine.database)
            guard recursive else {
                _ = try engine.commit([Write(DocumentPath(resource), .delete)])
                return
            }
            let progress = ProgressBar("Deleting")
            let count = try engine.deleteDocuments(under: resource) { progress.show(documents: $0, fraction: nil) }
            progress.finish()
            Output().line("\(Numbers.counted(count, "document")) deleted")
        }
    }

    private func resource(in database: DatabaseID? = nil) throws -> ResourcePath {
        if recursive, let collection = try CollectionPath(fullName: path, in: database) { return collection.resource }
        do {
            return try DocumentPath(argument: path, in: database).resource
        } catch {
            guard recursive, DatabaseID.named(in: path) == nil else { throw error }
            return try CollectionPath(argument: path).resource
        }
    }
}
