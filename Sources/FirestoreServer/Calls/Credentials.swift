// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import DocumentModel
    internal import FirestoreProtocol
    internal import JSONText

    /// Who sends a request. Tokens are read and not verified, as in the emulator: clients of tests sign nothing.
    enum Credentials: Sendable {
        /// `Bearer owner`: exempt from rules.
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
            if words[1] == "owner" {
                self = .administrator
                return
            }
            let parts = words[1].split(separator: ".", omittingEmptySubsequences: false)
            guard parts.count == 3, let payload = Base64.decode(String(parts[1])),
                let claims = try? JSONParser.parse(payload.span), claims.members != nil
            else { throw Credentials.malformed }
            self = .user(claims: claims)
        }

        private static let malformed = RequestError(
            .unauthenticated, "The authorization header holds neither \"Bearer owner\" nor a JSON web token.")
    }
#endif
