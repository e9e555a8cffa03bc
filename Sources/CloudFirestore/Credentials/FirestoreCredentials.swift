// SPDX-License-Identifier: Apache-2.0

#if Connected
    internal import DocumentModel
    internal import Synchronization

    #if canImport(FoundationEssentials)
        internal import FoundationEssentials
    #else
        internal import Foundation
    #endif

    /// Who asks Cloud Firestore: a service account, a user of the program, or a test.
    ///
    /// Tokens are made and refreshed when requests need them, also while listeners and queued writes go on. Nothing is
    /// asked for when a database is opened, so it opens without a network, and before anybody has signed in.
    public struct FirestoreCredentials: Sendable {
        enum Kind: Sendable {
            case serviceAccount(@Sendable () throws -> [UInt8], name: String)
            case idToken(@Sendable (_ forcingRefresh: Bool) async throws -> String?)
            case emulator(host: String, user: String?)
            case unauthenticated
        }

        let kind: Kind
        /// Those who must know when the user changes. Copies share it.
        let users = UserChanges()

        /// A service account, by the path of its JSON key file. It is exempt from security rules. The file is read when a
        /// database is opened, which fails if it is no such key.
        public static func serviceAccount(file: String) -> FirestoreCredentials {
            FirestoreCredentials(
                kind: .serviceAccount(
                    { try Array(Data(contentsOf: URL(filePath: file))) }, name: "The key file \(file)"))
        }

        /// A service account, by the text of its JSON key file, as a secret store keeps it.
        public static func serviceAccount(_ json: String) -> FirestoreCredentials {
            FirestoreCredentials(kind: .serviceAccount({ Array(json.utf8) }, name: "The service account's key"))
        }

        /// A user of Firebase Authentication, whom security rules know.
        ///
        ///     let credentials = FirestoreCredentials.idToken { forcingRefresh in
        ///         try await session.idToken(forcingRefresh: forcingRefresh)
        ///     }
        ///
        /// Each user has writes of their own, which wait until that user is back. After a sign-in or sign-out, call
        /// ``userDidChange()``.
        ///
        /// - Parameter token: gives the user's current ID token, or nil if nobody is signed in. It is called on any thread,
        ///   whenever a request needs a token and the last one has less than five minutes left; with true if the server has
        ///   refused the last one, so that a cached one must not be given again. While it fails, requests fail and are tried
        ///   again later; after 30 seconds without an answer a request goes on as if it had failed.
        public static func idToken(
            _ token: @escaping @Sendable (_ forcingRefresh: Bool) async throws -> String?
        ) -> FirestoreCredentials {
            FirestoreCredentials(kind: .idToken(token))
        }

        /// The administrator of an emulator, of `hearth serve` or of the official one, or a user of its tests.
        ///
        /// - Parameters:
        ///   - host: its address without a scheme, such as `127.0.0.1:8080`. The connection is not encrypted.
        ///   - user: the ID of a user whom security rules see; nil for the administrator, who is exempt from them.
        public static func emulator(host: String, user: String? = nil) -> FirestoreCredentials {
            FirestoreCredentials(kind: .emulator(host: host, user: user))
        }

        /// Nobody: security rules see no user.
        public static let unauthenticated = FirestoreCredentials(kind: .unauthenticated)

        /// Tells all open databases with these credentials that another user has signed in, or that the user has signed out. They
        /// ask for a token at once, and show the writes of the user that it names. What is written after this call belongs to
        /// that user, also before the token is there; until then nothing is sent. Copies of the credentials are the same
        /// credentials.
        public func userDidChange() { users.tell() }
    }

    /// Who must know that the user has changed.
    final class UserChanges: Sendable {
        private let observers = Mutex<[Int: @Sendable () -> Void]>([:])
        private let last = Atomic(0)

        func add(_ observer: @escaping @Sendable () -> Void) -> Int {
            let number = last.add(1, ordering: .relaxed).newValue
            observers.withLock { $0[number] = observer }
            return number
        }

        func remove(_ number: Int) { observers.withLock { _ = $0.removeValue(forKey: number) } }

        func tell() { for observer in observers.withLock({ Array($0.values) }) { observer() } }
    }
#endif
