// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import DocumentModel
    internal import FirestoreProtocol
    internal import JSONText

    /// Who sends a request. Tokens are read and not verified, as in the emulator: clients of tests sign nothing.
    enum Credentials: Sendable {
        /// `Bearer owner`, or an access token of Google's: exempt from rules.
        case administrator
        case user(claims: JSONNode)
        case none

        /// - Parameter authorization: the value of the header.
        init(authorization: String?) throws(RequestError) {
            guard let authorization, !authorization.isEmpty else {
                self = .none
                return
            }
            let words = authorization.split(separator: " ")
            guard words.count == 2, words[0].lowercased() == "bearer" else { throw Credentials.malformed }
            if words[1].lowercased() == "owner" || words[1].hasPrefix("ya29.") {
                self = .administrator
                return
            }
            let parts = words[1].split(separator: ".", omittingEmptySubsequences: false)
            guard parts.count == 3, let payload = Base64.decode(String(parts[1])),
                let claims = try? JSONParser.parse(payload.span), claims.members != nil
            else { throw .invalid("invalid jwt") }
            self = .user(claims: claims)
        }

        static func reading(_ authorization: String?) -> Result<Credentials, RequestError> {
            do throws(RequestError) { return .success(try Credentials(authorization: authorization)) } catch {
                return .failure(error)
            }
        }

        private static let malformed = RequestError(
            .unauthenticated, "The authorization header holds neither \"Bearer owner\" nor a JSON web token.")
    }
#endif
