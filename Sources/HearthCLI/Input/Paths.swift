// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import DocumentModel

extension DocumentPath {
    /// Parses an argument. An invalid path is wrong usage.
    init(argument: String, writing: Bool = false) throws {
        self = try parsed(DocumentPath(parsing: argument), \.resource, writing: writing)
    }
}

extension CollectionPath {
    /// Parses an argument. An invalid path is wrong usage.
    init(argument: String, writing: Bool = false) throws {
        self = try parsed(CollectionPath(parsing: argument), \.resource, writing: writing)
    }
}

private func parsed<Path>(
    _ parse: @autoclosure () throws(DocumentFormError) -> Path, _ resource: KeyPath<Path, ResourcePath>, writing: Bool
) throws -> Path {
    do {
        let path = try parse()
        try path[keyPath: resource].validate(writing: writing, database: DatabaseID(project: "hearth"))
        return path
    } catch {
        throw ValidationError(error.message)
    }
}
