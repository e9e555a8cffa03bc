// SPDX-License-Identifier: Apache-2.0

#if Server && Connected
    import Crypto
    import CryptoExtras
    import DocumentModel
    import Foundation
    import Hearth
    import JSONText
    import SyncCore
    import TestSupport
    import Testing

    @testable import CloudFirestore
    import HearthConnected

    /// What credentials make of keys, tokens and hosts.
    @Suite struct CredentialTests {
        private static let key = Result { try _RSA.Signing.PrivateKey(keySize: .bits2048) }

        private static func file(_ change: (inout [String: String]) -> Void = { _ in }) throws -> String {
            var file = [
                "type": "service_account", "project_id": "p", "private_key_id": "k1",
                "private_key": try key.get().pemRepresentation, "client_email": "robot@p.iam.gserviceaccount.com",
            ]
            change(&file)
            return String(decoding: try JSONSerialization.data(withJSONObject: file), as: UTF8.self)
        }

        private let clock = CredentialClock { 1_700_000_000 }
        private let database = DatabaseID(project: "p")

        @Test func selfSignedTokens() async throws {
            let credentials = FirestoreCredentials.serviceAccount(try Self.file())
            let token = try await credentials.tokens(for: database, clock).token()
            #expect(token.user == nil && token.expiry == 1_700_003_600)
            let parts = try #require(token.value).split(separator: ".").map(String.init)
            #expect(parts.count == 3)
            let header = try JSONParser.parse(try #require(Base64.decode(parts[0])))
            #expect(header["alg"]?.text == "RS256" && header["kid"]?.text == "k1")
            let claims = try JSONParser.parse(try #require(Base64.decode(parts[1])))
            #expect(claims["iss"]?.text == "robot@p.iam.gserviceaccount.com")
            #expect(claims["sub"]?.text == claims["iss"]?.text)
            #expect(claims["aud"]?.text == "https://firestore.googleapis.com/")
            // The verifier of the library that the tests share with nobody but the signer: the signature is over the text.
            let signature = _RSA.Signing.RSASignature(rawRepresentation: Data(try #require(Base64.decode(parts[2]))))
            let digest = SHA256.hash(data: Data("\(parts[0]).\(parts[1])".utf8))
            #expect(try Self.key.get().publicKey.isValidSignature(signature, for: digest, padding: .insecurePKCS1v1_5))
        }

        @Test(arguments: [
            ("type", "authorized_user", "authorized_user"), ("private_key", "nonsense", "private_key"),
            ("client_email", nil, "client_email"), ("type", nil, "missing"),
        ])
        func wrongKeys(_ field: String, _ value: String?, _ word: String) throws {
            let json = try Self.file { $0[field] = value }
            let error = #expect(throws: SyncError.self) {
                try FirestoreCredentials.serviceAccount(json).tokens(for: database, clock)
            }
            #expect(error?.code == .invalidArgument)
            #expect(error?.message.contains(word) == true)
        }

        @Test func missingKeyFiles() throws {
            let remote = Remote.firestore(project: "p", credentials: .serviceAccount(file: "no/such/key.json"))
            let error = #expect(throws: FirestoreError.self) { try remote.connect(nil) }
            let text = "The key file no/such/key.json cannot be read: there is no such file."
            #expect(error?.localizedDescription == text)
            #expect(throws: SyncError.self) {
                try FirestoreCredentials.serviceAccount("not JSON").tokens(for: database, clock)
            }
        }

        /// A key of another project may be right: it is mentioned when the server refuses it.
        @Test func keysOfOtherProjects() throws {
            let credentials = FirestoreCredentials.serviceAccount(try Self.file { $0["project_id"] = "other" })
            #expect(try credentials.tokens(for: database, clock).note?.contains("other") == true)
            #expect(try FirestoreCredentials.serviceAccount(Self.file()).tokens(for: database, clock).note == nil)
        }

        @Test func idTokens() async throws {
            let token = JSONWebToken.unsigned(user: "alice", project: "p", issued: 1_700_000_000)
            let read = try await FirestoreCredentials.idToken { _ in token }.tokens(for: database, clock).token()
            #expect(read == AccessToken(value: token, user: "alice", expiry: 1_700_003_600))
            let nobody = try await FirestoreCredentials.idToken { _ in nil }.tokens(for: database, clock).token()
            #expect(nobody == .none)
            for text in ["", "abc", "a.b.c", "e30.e30.e30"] {
                let source = try FirestoreCredentials.idToken { _ in text }.tokens(for: database, clock)
                let error = await #expect(throws: SyncError.self) { try await source.token() }
                #expect(error?.code == .unauthenticated)
            }
        }

        /// Without TLS, anybody on the way could use the account's token.
        @Test func serviceAccountsOfEmulators() async throws {
            let account = FirestoreCredentials.serviceAccount(try Self.file())
            let plain = try account.endpoint(host: "localhost:1", isSSLEnabled: false)
            #expect(try await account.tokens(for: database, at: plain, clock).token().value == "owner")
            let emulator = FirestoreCredentials.emulator(host: "localhost:1")
            #expect(try emulator.endpoint(host: nil, isSSLEnabled: true).authority == "localhost:1")
            #expect(try emulator.endpoint(host: "other:2", isSSLEnabled: false).authority == "other:2")
        }

        @Test func emulators() async throws {
            let owner = try FirestoreCredentials.emulator(host: "localhost:1").tokens(for: database, clock)
            #expect(try await owner.token().value == "owner")
            let user = try FirestoreCredentials.emulator(host: "localhost:1", user: "bob").tokens(for: database, clock)
            let token = try await user.token()
            #expect(token.user == "bob" && token.value?.hasSuffix(".") == true)
        }

        @Test(arguments: [
            ("localhost:8080", "localhost", 8_080), ("[::1]:9", "::1", 9), ("h", "h", 443), ("1.2.3.4:5", "1.2.3.4", 5),
        ])
        func hosts(_ text: String, _ host: String, _ port: Int) {
            let endpoint = Endpoint(text, isSSLEnabled: true)
            #expect(endpoint?.host == host && endpoint?.port == port)
        }

        @Test(arguments: ["", "http://localhost:8080", "localhost:", "localhost:x", "a:1:2", "[::1", ":80", "h:70000"])
        func wrongHosts(_ text: String) throws {
            #expect(Endpoint(text, isSSLEnabled: false) == nil)
            let remote = Remote.firestore(project: "p", credentials: .emulator(host: text))
            #expect(throws: FirestoreError.self) { try remote.connect(nil) }
        }

        @Test func wrongNames() throws {
            for project in ["", "a/b"] {
                let remote = Remote.firestore(project: project, credentials: .unauthenticated)
                #expect(throws: FirestoreError.self) { try remote.connect(nil) }
            }
        }

        @Test func clocks() {
            let clock = CredentialClock { 1_764_106_560 }  // 2025-11-25 21:36:00
            #expect(clock.difference(fromServer: "Tue, 25 Nov 2025 21:36:00 GMT") == nil)
            #expect(clock.difference(fromServer: "Tue, 25 Nov 2025 21:31:01 GMT") == nil)
            #expect(clock.difference(fromServer: "Tue, 25 Nov 2025 21:26:00 GMT")?.contains("10 minutes ahead") == true)
            #expect(
                clock.difference(fromServer: "Wed, 26 Nov 2025 21:36:00 GMT")?.contains("1440 minutes behind") == true)
            #expect(clock.difference(fromServer: "Sat, 29 Feb 2020 00:00:00 GMT")?.contains("ahead") == true)
            #expect(CredentialClock { 1_582_934_400 }.difference(fromServer: "Sat, 29 Feb 2020 00:00:00 GMT") == nil)
            #expect(clock.difference(fromServer: "yesterday") == nil)
        }
    }

    extension JSONNode {
        fileprivate var text: String? { if case .string(let text) = value { text } else { nil } }
    }
#endif
