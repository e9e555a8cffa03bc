// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import Foundation
internal import QueryPlanner
internal import SecurityRules

extension SecurityRules {
    /// Whether the rules allow a request, without a database.
    ///
    /// ```swift
    /// let rules = try SecurityRules(contentsOf: URL(filePath: "firestore.rules"))
    /// let documents = ["users/alice": ["name": "Alice"]]
    /// #expect(try rules.allows(.get("users/alice"), as: .user("alice"), given: documents))
    /// #expect(try !rules.allows(.get("users/alice"), as: .signedOut, given: documents))
    /// ```
    ///
    /// - Parameters:
    ///   - request: what the caller wants to read or write.
    ///   - auth: the caller.
    ///   - documents: the data of the stored documents by path, in the types of ``DocumentReference/setData(_:)``.
    /// - Throws: ``FirestoreError``, `invalidArgument`, for invalid paths and data.
    public func allows(
        _ request: Request, as auth: Auth, given documents: [String: [String: Any]] = [:]
    ) throws -> Bool {
        try decide(request, as: auth, given: documents).isAllowed
    }

    /// Decides a request, without a database; see ``allows(_:as:given:)``.
    public func decide(
        _ request: Request, as auth: Auth, given documents: [String: [String: Any]] = [:]
    ) throws -> Decision {
        var stored: [ResourcePath: Fields] = [:]
        for (path, data) in documents {
            let write = try WriteRequest.set(data).write(to: Request.origin.document(path))
            if case .update(let fields, _, _) = write.operation { stored[write.path.resource] = fields }
        }
        let gate = AccessGate(compiled, auth: auth.value, database: "(default)")
        let lookup = { (path: ResourcePath) throws(Never) -> Fields? in stored[path] }
        let decision =
            switch try request.content.get() {
            case .get(let path): gate.decide(get: [path.resource], at: .now, documents: lookup)
            case .list(let query): gate.decide(list: query, at: .now, documents: lookup)
            case .commit(let writes): gate.decide(commit: writes, at: .now, documents: lookup)
            }
        return Decision(decision.isAllowed, decision.message)
    }

    /// What rules decided.
    public struct Decision: Sendable {
        /// Whether the request is allowed.
        public let isAllowed: Bool
        /// The statements that refused it, in the emulator's words; empty if the request is allowed.
        public let explanation: String

        fileprivate init(_ isAllowed: Bool, _ message: String) {
            self.isAllowed = isAllowed
            explanation = message.trimmingCharacters(in: .newlines)
        }
    }

    /// A request for which rules are asked.
    public struct Request: Sendable {
        fileprivate enum Content: Sendable {
            case get(DocumentPath)
            case list(QueryPlanner.Query)
            case commit([Write])
        }

        fileprivate let content: Result<Content, FirestoreError>

        /// The references of requests belong to a database that is never opened.
        fileprivate static let origin = Database(path: "", settings: FirestoreSettings().values)

        private init(_ body: () throws(FirestoreError) -> Content) {
            content = Result(deferring: body)
        }

        private init(_ write: WriteRequest, _ path: String, exists: Bool? = nil) {
            self.init { () throws(FirestoreError) in
                var write = try write.write(to: Request.origin.document(path))
                if let exists { write.precondition = .exists(exists) }
                return .commit([write])
            }
        }

        /// Reads a document.
        public static func get(_ path: String) -> Request {
            Request { () throws(FirestoreError) in .get(try origin.document(path).own()) }
        }

        /// Runs a query: `.list("notes") { $0.whereField("owner", isEqualTo: "alice") }`.
        public static func list(
            _ collection: String, _ query: (CollectionReference) -> Query = { $0 }
        ) -> Request {
            let query = query(origin.collection(collection))
            return Request { () throws(FirestoreError) in .list(try query.planned()) }
        }

        /// Runs a query over a collection group.
        public static func list(group: String, _ query: (Query) -> Query = { $0 }) -> Request {
            let query = query(origin.collectionGroup(group))
            return Request { () throws(FirestoreError) in .list(try query.planned()) }
        }

        /// Creates a document, which must not exist.
        public static func create(_ path: String, _ data: [String: Any]) -> Request {
            Request(.set(data), path, exists: false)
        }

        /// Replaces or creates a document, as ``DocumentReference/setData(_:)`` does.
        public static func set(_ path: String, _ data: [String: Any]) -> Request { Request(.set(data), path) }

        /// Changes fields, as ``DocumentReference/updateData(_:)`` does.
        public static func update(_ path: String, _ fields: [AnyHashable: Any]) -> Request {
            Request(.update(fields), path)
        }

        /// Deletes a document.
        public static func delete(_ path: String) -> Request { Request(.delete, path) }

        /// Makes several writes in one commit.
        public static func batch(_ requests: [Request]) -> Request {
            Request { () throws(FirestoreError) in
                var all: [Write] = []
                for request in requests {
                    guard case .commit(let writes) = try request.content.get() else {
                        throw .invalidArgument("A batch has writes only.")
                    }
                    all += writes
                }
                return .commit(all)
            }
        }
    }
}
