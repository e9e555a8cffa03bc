// SPDX-License-Identifier: Apache-2.0

#if Connected
    internal import DocumentModel
    internal import JSONText

    /// What a request carries, and for whom.
    struct AccessToken: Sendable, Equatable {
        /// Nil for requests without a token.
        var value: String?
        /// The user whose writes the token sends; nil for a service account and for nobody.
        var user: String?
        /// Seconds since 1970; nil for a token that never expires.
        var expiry: Int64?

        static let none = AccessToken()
        /// The administrator of an emulator.
        static let owner = AccessToken(value: "owner")

        /// A token is not used for a new request in its last five minutes.
        func isFresh(at time: Int64) -> Bool { expiry.map { $0 - time >= 300 } ?? true }

        func isValid(at time: Int64) -> Bool { expiry.map { $0 > time } ?? true }
    }

    /// JSON web tokens, read without a look at their signature, which is the server's business.
    enum JSONWebToken {
        /// The user and the expiry of an ID token; nil for a text that is no web token with a user.
        static func read(_ text: String) -> AccessToken? {
            let parts = text.split(separator: ".", omittingEmptySubsequences: false)
            guard parts.count == 3, let payload = Base64.decode(String(parts[1])),
                let claims = try? JSONParser.parse(payload), let members = claims.members
            else { return nil }
            var token = AccessToken(value: text)
            for member in members {
                switch (member.key, member.node.value) {
                case ("sub", .string(let user)), ("user_id", .string(let user)): token.user = user
                case ("exp", .number(let number)): token.expiry = number.int64
                default: break
                }
            }
            return token.user == nil ? nil : token
        }

        /// A token without a signature, as emulators accept it.
        static func unsigned(user: String, project: String, issued: Int64) -> String {
            var claims = JSONWriter()
            claims.beginObject()
            for (key, text) in [
                ("sub", user), ("user_id", user), ("aud", project),
                ("iss", "https://securetoken.google.com/\(project)"),
            ] {
                claims.key(key)
                claims.string(text)
            }
            for (key, number) in [("iat", issued), ("auth_time", issued), ("exp", issued + 3_600)] {
                claims.key(key)
                claims.integer(number)
            }
            claims.endObject()
            return encoded(Array(#"{"alg":"none","typ":"JWT"}"#.utf8)) + "." + encoded(claims.bytes) + "."
        }

        /// The encoding of the parts.
        static func encoded(_ bytes: [UInt8]) -> String {
            Base64.encode(bytes).replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
        }
    }
#endif
