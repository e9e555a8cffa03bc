// SPDX-License-Identifier: Apache-2.0

package import DocumentModel

/// Reads a document of one state of the database; nil if it is missing.
package typealias DocumentLookup = (DocumentPath) throws(EngineError) -> Document?

/// Decides whether a read may happen, by the state that it reads. Its error refuses the read.
package typealias ReadCheck = @Sendable (_ document: DocumentLookup) throws(EngineError) -> Void

/// Decides in the writer's turn, by the state before a commit, whether the commit may happen. Its error refuses the
/// commit, which then changes nothing.
///
/// All commits wait for it, so it should be short. It may be called again for the same commit.
///
/// - Parameters:
///   - commitTime: the time that server timestamps of the commit get.
///   - document: reads the state before the commit.
package typealias CommitCheck =
    @Sendable (_ commitTime: Timestamp, _ document: DocumentLookup) throws(EngineError) -> Void
