// SPDX-License-Identifier: Apache-2.0

#if Connected
    import Hearth
    import HearthConnected

    /// The README's lines about a database with a remote.
    func openConnected() async throws -> Database {
        let database = try await Database.open(
            path: "app.db", remote: .firestore(project: "my-project", credentials: .serviceAccount(file: "key.json")))
        return database
    }
#endif
