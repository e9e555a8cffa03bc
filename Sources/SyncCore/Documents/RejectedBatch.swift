// SPDX-License-Identifier: Apache-2.0

package import DocumentModel

/// A batch that the server has refused. It is kept until the program queues it again or drops it.
package struct RejectedBatch: Sendable {
    package internal(set) var batch: MutationBatch
    package let cause: SyncError
    /// When the client learned of the refusal, by its own clock.
    package let time: Timestamp

    package init(batch: MutationBatch, cause: SyncError, time: Timestamp) {
        self.batch = batch
        self.cause = cause
        self.time = time
    }
}
