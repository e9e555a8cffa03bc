// SPDX-License-Identifier: Apache-2.0

#if Connected
    internal import DocumentModel
    internal import SyncCore

    #if canImport(FoundationEssentials)
        internal import FoundationEssentials
    #else
        internal import Foundation
    #endif

    extension FirestoreCredentials {
        /// The server that these credentials are for.
        ///
        /// - Throws: an error for a host that is none.
        func endpoint(host: String?, isSSLEnabled: Bool) throws(SyncError) -> Endpoint {
            var (host, isSSLEnabled) = (host, isSSLEnabled)
            if case .emulator(let emulator, _) = kind, host == nil { (host, isSSLEnabled) = (emulator, false) }
            guard let host else { return .production }
            guard let endpoint = Endpoint(host, isSSLEnabled: isSSLEnabled) else {
                throw SyncError(
                    .invalidArgument,
                    "\"\(host)\" is no host. Write a name or an address and a port, such as 127.0.0.1:8080, without a scheme."
                )
            }
            return endpoint
        }

        /// - Throws: an error if the credentials cannot be used at all.
        func tokens(
            for database: DatabaseID, at endpoint: Endpoint = .production, _ clock: CredentialClock
        ) throws(SyncError) -> TokenSource {
            switch kind {
            case .serviceAccount(let read, let name):
                let tokens = try FirestoreCredentials.tokens(of: read, name, database, clock)
                // Whoever listens to the connection could use the account's own token.
                return endpoint.isSSLEnabled ? tokens : TokenSource(clock, user: SyncUser(nil)) { _ in .owner }
            case .idToken(let closure):
                let source = TokenSource(clock) { (isForced: Bool) async throws(SyncError) in
                    try await FirestoreCredentials.token(closure, isForced)
                }
                let users = users
                let number = users.add { [weak source] in source?.userDidChange() }
                source.whenStopped { users.remove(number) }
                return source
            case .emulator(_, let user?):
                let project = database.project.string
                return TokenSource(clock, user: SyncUser(user)) { _ in
                    let now = clock.now()
                    return AccessToken(
                        value: JSONWebToken.unsigned(user: user, project: project, issued: now), user: user,
                        expiry: now + 3_600)
                }
            case .emulator: return TokenSource(clock, user: SyncUser(nil)) { _ in .owner }
            case .unauthenticated: return TokenSource(clock, user: SyncUser(nil)) { _ in .none }
            }
        }

        private static func tokens(
            of read: @Sendable () throws -> [UInt8], _ name: String, _ database: DatabaseID, _ clock: CredentialClock
        ) throws(SyncError) -> TokenSource {
            let bytes: [UInt8]
            do { bytes = try read() } catch {
                throw SyncError(.invalidArgument, "\(name) cannot be read: \(FirestoreCredentials.reason(error))")
            }
            let key: ServiceAccountKey
            do throws(ServiceAccountKey.Invalid) { key = try ServiceAccountKey(json: bytes) } catch {
                throw SyncError(.invalidArgument, "\(name) is no key of a service account: \(error.text).")
            }
            let isOther = key.project != nil && key.project != database.project.string
            let note =
                isOther
                ? "The service account \(key.email) belongs to the project \(key.project ?? ""), the database to "
                    + "\(database.project.string): check that the account may use it." : nil
            return TokenSource(clock, user: SyncUser(nil), note: note) { (_: Bool) async throws(SyncError) in
                do { return try key.token(at: clock.now()) } catch {
                    throw SyncError(.unauthenticated, "The service account's key cannot sign: \(error)")
                }
            }
        }

        private static func reason(_ error: any Error) -> String {
            switch (error as? CocoaError)?.code {
            case .fileReadNoSuchFile?: "there is no such file."
            case .fileReadNoPermission?: "permission denied."
            default: "\(error)"
            }
        }

        private static func token(
            _ closure: @Sendable (Bool) async throws -> String?, _ isForced: Bool
        ) async throws(SyncError) -> AccessToken {
            let text: String?
            do { text = try await closure(isForced) } catch {
                throw SyncError(.unavailable, "The program gave no ID token: \(error)")
            }
            guard let text else { return .none }
            guard let token = JSONWebToken.read(text) else {
                throw SyncError(
                    .unauthenticated,
                    "What the program gave is no ID token of a user: it has three parts, and the claim \"sub\" in the second."
                )
            }
            return token
        }
    }
#endif
