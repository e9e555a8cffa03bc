// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import DocumentEngine
internal import DocumentModel
internal import LMDB

/// The argument that names the database.
struct DatabaseArgument: ParsableArguments {
    @Argument(help: ArgumentHelp("The database file.", valueName: "db"), completion: .file())
    var path: String

    init() {}

    /// A database that an option names.
    init(_ path: String) {
        _path = Argument(help: "")
        self.path = path
    }

    enum Access {
        case reading, writing
        /// Creates a missing database, with this project and database ID or with the default ones.
        case creating(DatabaseID?)
        /// Creates a missing database like ``creating(_:)``; one that exists may have other names, and the caller looks at them.
        case creatingIfMissing(DatabaseID?)
    }

    /// Opens the database for `body`. An error of the engine ends the command with its message and the database's path.
    func open<R>(_ access: Access, _ body: (Engine) throws -> R) throws -> R {
        System.expectDamage(endingWith: .couldNotRun)
        var options = Engine.Options()
        switch access {
        case .reading:
            options.readOnly = true
            options.creates = false
        case .writing: options.creates = false
        case .creating(let identity), .creatingIfMissing(let identity):
            if let identity { options.identity = identity }
        }
        do {
            let engine = try Engine.open(path, options)
            if case .creating(let identity?) = access { try require(identity, of: engine) }
            return try body(engine)
        } catch let error as EngineError {
            throw CommandFailure(error, database: path)
        }
    }

    /// Ends the command where ``open(_:_:)`` could not create or write the database, and makes nothing: for those who first get what
    /// is to be in it.
    func expectWritable(as identity: DatabaseID) throws {
        if System.exists(path) { return try open(.writing) { try require(identity, of: $0) } }
        let folder = InputFile.folder(of: path)
        guard !folder.isEmpty, !System.exists(folder) else { return }
        throw CommandFailure(.storage(LMDBError(code: .noSuchFile, operation: .open, path: path)), database: path)
    }

    private func require(_ identity: DatabaseID, of engine: Engine) throws(CommandFailure) {
        guard engine.database != identity else { return }
        throw CommandFailure(
            "\"\(path)\" is \(engine.database.resourceName), not \(identity.resourceName): "
                + "project and database are given once, when a database is made")
    }
}
