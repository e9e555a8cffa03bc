// SPDX-License-Identifier: Apache-2.0

package import JSONText
package import SyncCore

/// A request of Cloud Firestore's Admin API, version 1.
package struct AdminRequest: Sendable {
    package enum Method: String, Sendable {
        case get = "GET"
        case post = "POST"
        case patch = "PATCH"
    }

    package let method: Method
    /// Behind `/v1/`, percent-encoded, with the query.
    package let path: String
    package let body: JSONNode?

    package init(_ method: Method, _ path: String, _ body: JSONNode? = nil) {
        self.method = method
        self.path = path
        self.body = body
    }
}

/// The Admin API of Cloud Firestore.
package protocol AdminServer: Sendable {
    /// The answer's body.
    ///
    /// - Throws: the status that the answer names.
    func send(_ request: AdminRequest) async throws(SyncError) -> JSONNode
}
