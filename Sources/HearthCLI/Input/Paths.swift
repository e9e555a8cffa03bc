// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import DocumentModel

extension DocumentPath {
    /// Parses an argument. An invalid path is wrong usage.
    init(argument: String, writing: Bool = false) throws {
        do {
            try self.init(parsing: argument)
            try resource.validate(writing: writing, database: DatabaseID(project: "hearth"))
        } catch {
            throw ValidationError(error.message)
        }
    }
}

extension CollectionPath {
    /// Parses an argument. An invalid path is wrong usage.
    init(argument: String, writing: Bool = false) throws {
        do {
            try self.init(parsing: argument)
            try resource.validate(writing: writing, database: DatabaseID(project: "hearth"))
        } catch {
            throw ValidationError(error.message)
        }
    }
}
