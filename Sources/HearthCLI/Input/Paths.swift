// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import DocumentModel

extension DocumentPath {
    /// Parses an argument: a path, or a document's full name as answers and errors have it. An invalid one is wrong usage.
    ///
    /// - Parameter database: the one that a full name must be of; nil for any, as long as none is open.
    init(argument: String, in database: DatabaseID? = nil, writing: Bool = false) throws {
        self = try parsed(DocumentPath.named(argument, in: database), \.resource, writing: writing)
    }

    private static func named(_ text: String, in database: DatabaseID?) throws(DocumentFormError) -> DocumentPath {
        guard let named = DatabaseID.named(in: text) else { return try DocumentPath(parsing: text) }
        return try DocumentPath(parsing: text, in: database ?? named)
    }
}

extension DatabaseID {
    /// The database of a document's full name; nil for other text. A document's path has an even number of names, so it is none.
    static func named(in text: String) -> DatabaseID? {
        guard let (database, path) = (try? ResourcePath(parsing: text))?.fullNameParts, path.count % 2 == 0 else {
            return nil
        }
        return database
    }
}

extension CollectionPath {
    /// Parses an argument. An invalid path is wrong usage.
    init(argument: String, writing: Bool = false) throws {
        self = try parsed(CollectionPath(parsing: argument), \.resource, writing: writing)
    }

    /// The collection of a full name, for an argument that may also be a document's path: what can be read as a full name is one.
    /// Nil for other text.
    ///
    /// - Parameter database: the one that a full name must be of; nil for any, as long as none is open.
    init?(fullName text: String, in database: DatabaseID?) throws {
        guard let (named, path) = (try? ResourcePath(parsing: text))?.fullNameParts, path.count % 2 == 1 else {
            return nil
        }
        if let database, named != database {
            throw ValidationError("\(text) belongs to another database than \(database.resourceName).")
        }
        self = try parsed(CollectionPath(path), \.resource, writing: false)
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
