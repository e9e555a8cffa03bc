// SPDX-License-Identifier: Apache-2.0

package import DocumentModel
package import QueryPlanner

/// A request that rules decide.
package struct RuleRequest: Sendable {
    package enum Operation: Sendable {
        /// Reads documents by their names, all or none.
        case get([ResourcePath])
        /// Runs a query, or aggregates its rows.
        case list(Query)
        case commit([RuleWrite])
    }

    package var operation: Operation
    /// Null for a caller who is not signed in, else a map of `uid` and `token`.
    package var auth: RuleValue
    /// The database's ID.
    package var database: Text
    package var time: RuleTimestamp
    /// Whether a read belongs to a transaction. Writes always do.
    package var isInTransaction: Bool

    /// The limit of the query that ListDocuments is where the request has no page size. The emulator judges and serves so many.
    package static let defaultPageSize = 30

    package init(
        _ operation: Operation, auth: RuleValue = .null, database: Text = "(default)", time: RuleTimestamp,
        isInTransaction: Bool = false
    ) {
        self.operation = operation
        self.auth = auth
        self.database = database
        self.time = time
        self.isInTransaction = isInTransaction
    }
}

/// What a commit does to one document, from the state before the commit to the state after it. A commit with several
/// writes to one document is one `RuleWrite`. So is a condition on a document that it does not write, which is judged as a read within
/// the commit.
package struct RuleWrite: Sendable {
    package var path: ResourcePath
    /// A precondition on the document's existence, which decides the method.
    package var exists: Bool?
    /// The fields after the commit, with merges and transforms applied; nil for a delete.
    package var after: Fields?
    /// Whether `after` does not depend on what is stored, so that it is known without reading.
    package var isAfterKnown: Bool
    /// The paths of mask and transforms, nil if there are none.
    package var writeFields: [Text]?
    /// The paths of transforms, nil if there are none.
    package var transforms: [Text]?
    /// Whether the commit sets a condition on the document, and leaves it as it is.
    let isVerification: Bool

    package init(
        _ path: ResourcePath, exists: Bool? = nil, after: Fields?, isAfterKnown: Bool, writeFields: [Text]? = nil,
        transforms: [Text]? = nil
    ) {
        isVerification = false
        self.path = path
        self.exists = exists
        self.after = after
        self.isAfterKnown = isAfterKnown
        self.writeFields = writeFields
        self.transforms = transforms
    }

    init(verifying path: ResourcePath, stored: Fields?) {
        self.path = path
        after = stored
        isAfterKnown = false
        isVerification = true
    }

    private static let getOnly: [RequestMethod] = [.get]
    private static let deleteOnly: [RequestMethod] = [.delete]
    private static let updateOnly: [RequestMethod] = [.update]
    private static let createOnly: [RequestMethod] = [.create]
    private static let createOrUpdate: [RequestMethod] = [.create, .update]

    /// The methods that this may turn out to be.
    var methods: [RequestMethod] {
        if isVerification { return RuleWrite.getOnly }
        guard after != nil else { return RuleWrite.deleteOnly }
        return exists.map { $0 ? RuleWrite.updateOnly : RuleWrite.createOnly } ?? RuleWrite.createOrUpdate
    }
}
