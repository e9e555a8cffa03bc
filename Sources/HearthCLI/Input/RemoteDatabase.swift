// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import DocumentModel

/// The options that name a database of Cloud Firestore.
struct RemoteDatabase: ParsableArguments {
    @Option(help: ArgumentHelp("The project of Cloud Firestore.", valueName: "id"))
    var project: String?
    @Option(
        name: .customLong("database"),
        help: ArgumentHelp("The project's database (default: (default)).", valueName: "id"))
    var namedDatabase: String?
    @Option(
        help: ArgumentHelp(
            "Use the emulator, or hearth serve, at this address instead of production.",
            valueName: "host:port"))
    var emulator: String?
    @Option(
        help: ArgumentHelp(
            "The JSON key of a service account (default: GOOGLE_APPLICATION_CREDENTIALS).",
            valueName: "file"),
        completion: .file(extensions: ["json"]))
    var credentials: String?

    /// Where the database is, as messages say it.
    var server: String { emulator.map { "the emulator at \($0)" } ?? "Cloud Firestore" }

    var databaseID: String { namedDatabase ?? "(default)" }

    /// - Throws: wrong usage if no project is named.
    func id() throws -> DatabaseID {
        guard let project, !project.isEmpty else {
            throw ValidationError("name the project with --project")
        }
        return try DatabaseID(named: project, databaseID)
    }

    /// For an option with which no server is asked.
    ///
    /// - Throws: wrong usage if another one says how to reach a server.
    func expectNoServer(beside option: String) throws(ValidationError) {
        for (name, value) in [("--emulator", emulator), ("--credentials", credentials)] where value != nil {
            throw ValidationError("\(name) and \(option) exclude each other: files are moved, and no server is asked")
        }
    }

    /// The database that the options name, or nil for that of the documents.
    ///
    /// - Throws: wrong usage if they name a database, but not its project.
    func idIfNamed() throws -> DatabaseID? {
        if project != nil { return try id() }
        guard namedDatabase == nil else {
            throw ValidationError(
                "--database is in the project that --project names: give both, or neither for that of the export")
        }
        return nil
    }
}

extension DatabaseID {
    /// - Throws: wrong usage if a name could not stand between the slashes of `projects/P/databases/D`.
    convenience init(named project: String, _ database: String) throws(ValidationError) {
        for name in [project, database]
        where name.isEmpty || name.unicodeScalars.contains(where: { $0 <= " " || $0 == "/" || $0 == "\u{7F}" }) {
            throw ValidationError(
                "\"\(name)\" names no project and no database: such an ID has letters, digits and hyphens; the default "
                    + "database is (default)")
        }
        self.init(project: Text(project), database: Text(database))
    }

    /// - Throws: wrong usage if an option names a project that cannot be.
    static func check(project: String?) throws(ValidationError) {
        if let project { _ = try DatabaseID(named: project, "(default)") }
    }
}

extension CommandFailure {
    /// This program was built without the trait that brings the network.
    static let withoutNetwork = CommandFailure(
        "this hearth was built without the way to Cloud Firestore; `swift build -c release --traits Server,Connected "
            + "--product hearth` builds it. Files need no network: see --to-export of push and --from-export of pull"
    )
}
