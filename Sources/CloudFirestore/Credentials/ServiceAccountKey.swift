// SPDX-License-Identifier: Apache-2.0

#if Connected
    internal import Crypto
    internal import CryptoExtras
    internal import JSONText

    #if canImport(FoundationEssentials)
        internal import FoundationEssentials
    #else
        internal import Foundation
    #endif

    /// The key file of a service account. Its tokens are signed here, so that no other server is needed for them.
    struct ServiceAccountKey: Sendable {
        let email: String
        let project: String?
        private let id: String
        private let key: _RSA.Signing.PrivateKey

        /// Why a file is no key.
        struct Invalid: Error {
            let text: String
        }

        /// Seconds that a token is valid.
        static let lifetime: Int64 = 3_600

        init(json: [UInt8]) throws(Invalid) {
            let members: [JSONMember]?
            do { members = try JSONParser.parse(json).members } catch {
                throw Invalid(text: "it is no JSON: \(error)")
            }
            var texts: [String: String] = [:]
            for member in members ?? [] {
                if case .string(let text) = member.node.value { texts[member.key] = text }
            }
            guard texts["type"] == "service_account" else {
                throw Invalid(
                    text:
                        "its \"type\" is \(texts["type"].map { "\"\($0)\"" } ?? "missing") instead of \"service_account\". "
                        + "Download a JSON key of a service account from the Google Cloud console")
            }
            guard let email = texts["client_email"], let pem = texts["private_key"],
                let id = texts["private_key_id"]
            else { throw Invalid(text: "it lacks client_email, private_key or private_key_id") }
            do { key = try _RSA.Signing.PrivateKey(pemRepresentation: pem) } catch {
                throw Invalid(text: "its private_key is no RSA key in PEM form: \(error)")
            }
            self.email = email
            self.id = id
            project = texts["project_id"]
        }

        /// A token that the account signs for itself (AIP-4111).
        func token(at time: Int64) throws -> AccessToken {
            var header = JSONWriter()
            header.beginObject()
            for (key, text) in [("alg", "RS256"), ("typ", "JWT"), ("kid", id)] {
                header.key(key)
                header.string(text)
            }
            header.endObject()
            var claims = JSONWriter()
            claims.beginObject()
            for (key, text) in [("iss", email), ("sub", email), ("aud", "https://firestore.googleapis.com/")] {
                claims.key(key)
                claims.string(text)
            }
            for (key, number) in [("iat", time), ("exp", time + ServiceAccountKey.lifetime)] {
                claims.key(key)
                claims.integer(number)
            }
            claims.endObject()
            let signed = JSONWebToken.encoded(header.bytes) + "." + JSONWebToken.encoded(claims.bytes)
            let signature = try key.signature(
                for: SHA256.hash(data: Data(signed.utf8)), padding: .insecurePKCS1v1_5)
            return AccessToken(
                value: signed + "." + JSONWebToken.encoded(Array(signature.rawRepresentation)), user: nil,
                expiry: time + ServiceAccountKey.lifetime)
        }
    }
#endif
