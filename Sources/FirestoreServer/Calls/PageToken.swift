// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import DocumentModel
    internal import FirestoreProtocol

    /// Where the next page of a list begins: the name after which it does, which outlives the server.
    enum PageToken {
        static func text(_ path: DocumentPath) -> String { Base64.encode(Array(path.description.utf8)) }
        static func text(_ id: Text) -> String { Base64.encode(Array(id.string.utf8)) }

        /// Nil for the first page.
        static func name(_ token: String, in database: DatabaseID) throws(RequestError) -> DocumentPath? {
            guard let text = try text(of: token) else { return nil }
            do throws(DocumentFormError) {
                let path = try DocumentPath(parsing: text)
                try path.resource.validate(writing: false, database: database)
                return path
            } catch {
                throw PageToken.invalid
            }
        }

        /// Nil for the first page.
        static func text(of token: String) throws(RequestError) -> String? {
            guard !token.isEmpty else { return nil }
            guard let bytes = Base64.decode(token), let text = String(validating: bytes, as: UTF8.self), !text.isEmpty
            else { throw PageToken.invalid }
            return text
        }

        static let invalid = RequestError(.invalidArgument, "The page token is invalid.")
    }
#endif
