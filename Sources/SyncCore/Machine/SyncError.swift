// SPDX-License-Identifier: Apache-2.0

package import DocumentModel

/// Why a listen, a write or a stream ended.
package struct SyncError: Error, Sendable, Hashable {
    package let code: StatusCode
    package let message: String

    package init(_ code: StatusCode, _ message: String) {
        self.code = code
        self.message = message
    }

    init(_ error: ReplicaError) {
        self.init(.unavailable, error.message)
    }

    /// Whether the same request would fail again. An aborted write may succeed the next time.
    package var isPermanent: Bool {
        switch code {
        case .ok, .cancelled, .unknown, .deadlineExceeded, .resourceExhausted, .internal, .unavailable,
            .unauthenticated:
            false
        case .invalidArgument, .notFound, .alreadyExists, .permissionDenied, .failedPrecondition, .aborted,
            .outOfRange, .unimplemented, .dataLoss:
            true
        }
    }

    var rejectsWrite: Bool { isPermanent && code != .aborted }
}
