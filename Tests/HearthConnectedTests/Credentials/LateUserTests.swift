// SPDX-License-Identifier: Apache-2.0

#if Server && Connected
    import DocumentModel
    import Foundation
    import Hearth
    import HearthConnected
    import SyncCore
    import Synchronization
    import TestSupport
    import Testing

    @testable import CloudFirestore

    /// Writes of programs whose tokens come late reach the server as the user who has made them.
    @Suite struct LateUserTests {
        private let server: LocalServer
        private let directory: TemporaryDirectory

        init() throws {
            server = try LocalServer(
                rules: """
                    rules_version = '2';
                    service cloud.firestore { match /databases/{d}/documents { match /own/{user}/items/{id} {
                      allow read, write: if request.auth.uid == user;
                    } } }
                    """)
            directory = try TemporaryDirectory()
        }

        /// Who is signed in, and when the program gives tokens.
        private final class SignIn: Sendable {
            private let state = Mutex((user: "a", givesTokens: true))

            func set(_ user: String, givesTokens: Bool) { state.withLock { $0 = (user, givesTokens) } }

            func token() async throws -> String {
                while !state.withLock({ $0.givesTokens }) { try await Task.sleep(for: .milliseconds(1)) }
                return JSONWebToken.unsigned(
                    user: state.withLock { $0.user }, project: "p", issued: Int64(Date().timeIntervalSince1970))
            }
        }

        private func open(_ credentials: FirestoreCredentials, _ name: String = "replica.db") async throws -> Database {
            let settings = FirestoreSettings()
            settings.durability = .mayLoseDatabase
            settings.logHandler = { _, _ in }
            (settings.host, settings.isSSLEnabled) = (server.host, false)
            return try await Database.open(
                path: directory.path(name), settings: settings,
                remote: .firestore(project: "p", credentials: credentials))
        }

        private func isOnServer(_ path: String) async throws -> Bool {
            let path = try DocumentPath(parsing: path)
            return try await server.client().documents(at: [path])[0].isFound
        }

        /// The process opens its file, writes, and has no token yet; it ends, and the token comes after the next start.
        @Test(arguments: [false, true]) func beforeTheFirstToken(_ restarts: Bool) async throws {
            let signIn = SignIn()
            signIn.set("a", givesTokens: false)
            let credentials = FirestoreCredentials.idToken { _ in try await signIn.token() }
            var database = try await open(credentials)
            try await database.document("own/a/items/x").setData(["n": 1], until: .stored)
            if restarts {
                try await database.terminate()
                database = try await open(credentials)
            }
            #expect(try await database.pendingWrites().count == 1)
            signIn.set("a", givesTokens: true)
            try await database.document("own/a/items/y").setData(["n": 2])
            #expect(try await isOnServer("own/a/items/x"))
            #expect(try await database.rejectedWrites().isEmpty)
            #expect(try await database.collection("own/a/items").getDocuments(source: .cache).count == 2)
            try await database.terminate()
        }

        @Test func afterAnotherUserHasSignedIn() async throws {
            let signIn = SignIn()
            let credentials = FirestoreCredentials.idToken { _ in try await signIn.token() }
            let database = try await open(credentials)
            try await database.document("own/a/items/x").setData(["n": 1])
            signIn.set("b", givesTokens: false)
            credentials.userDidChange()
            let item = database.document("own/b/items/y")
            try await item.setData(["n": 2], until: .stored)
            #expect(try await item.getDocument(source: .cache).exists)
            signIn.set("b", givesTokens: true)
            try await item.updateData(["n": 3])
            #expect(try await isOnServer("own/b/items/y"))
            #expect(try await item.getDocument(source: .cache).exists)
            #expect(try await database.rejectedWrites().isEmpty)
            try await database.terminate()
        }

        /// A user of tests is known without a token, so that the first write does not race with one.
        @Test func usersOfTests() async throws {
            for number in 0..<10 {
                let database = try await open(.emulator(host: server.host, user: "a"), "\(number).db")
                try await database.document("own/a/items/\(number)").setData(["n": 1])
                try await database.terminate()
            }
        }

        @Test func usersThatNeedNoToken() throws {
            let database = DatabaseID(project: "p")
            let endpoint = try #require(Endpoint("127.0.0.1:1", isSSLEnabled: false))
            func user(_ credentials: FirestoreCredentials) throws -> SyncUser? {
                try credentials.tokens(for: database, at: endpoint, .system).user
            }
            #expect(try user(.emulator(host: "127.0.0.1:1", user: "a")) == SyncUser("a"))
            #expect(try user(.emulator(host: "127.0.0.1:1")) == SyncUser(nil))
            #expect(try user(.unauthenticated) == SyncUser(nil))
            #expect(try user(.idToken { _ in nil }) == nil)
        }
    }
#endif
