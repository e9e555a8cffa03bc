// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import DocumentEngine
internal import DocumentModel
internal import QueryPlanner

struct DeleteCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Delete a document, or with --recursive everything below it too.",
        discussion: """
            Documents in collections below it stay unless --recursive is given, which also takes a collection. Deleting \
            what is missing is no error.

            Examples:
              hearth delete my.db cities/SF
              hearth delete my.db cities/SF --recursive
              hearth delete my.db cities --recursive
            """)

    @OptionGroup var database: DatabaseArgument
    @Argument(help: "The document's path, such as cities/SF; with --recursive also a collection's.")
    var path: String
    @Flag(help: "Delete everything below it too.")
    var recursive = false

    func validate() throws { _ = try resource() }

    func run() throws {
        let resource = try resource()
        try database.open(.writing) { engine in
            guard recursive else {
                _ = try engine.commit([Write(DocumentPath(resource), .delete)])
                return
            }
            let paths = try documents(under: resource, engine)
            for start in stride(from: 0, to: paths.count, by: DeleteCommand.commitSize) {
                let slice = paths[start..<min(start + DeleteCommand.commitSize, paths.count)]
                _ = try engine.commit(slice.map { Write($0, .delete) })
            }
            Output().line("\(Numbers.counted(paths.count, "document")) deleted")
        }
    }

    private static let commitSize = 10_000

    private func resource() throws -> ResourcePath {
        do {
            return try DocumentPath(argument: path).resource
        } catch {
            guard recursive else { throw error }
            return try CollectionPath(argument: path).resource
        }
    }

    private func documents(under resource: ResourcePath, _ engine: Engine) throws(EngineError) -> [DocumentPath] {
        var paths: [DocumentPath] = []
        let isDocument = resource.count % 2 == 0
        let parent = isDocument ? DocumentPath(resource) : CollectionPath(resource).parent
        if isDocument, try engine.document(DocumentPath(resource)) != nil { paths.append(DocumentPath(resource)) }
        try engine.forEachDocument(in: .descendants(of: parent)) { document in
            if resource.isPrefix(of: document.path.resource) { paths.append(document.path) }
        }
        return paths
    }
}
