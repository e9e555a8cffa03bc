// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import DocumentEngine
    internal import IndexCatalog
    internal import LMDB

    /// A database's file as it was when the database was closed. Other programs may have put another one in its place since.
    struct LeftFile: Sendable {
        /// Not the number of the file, which the system gives to the next one when it is deleted. Nil if it could not be read.
        private let incarnation: UInt64?
        private let lastCommit: Environment.LastCommit
        /// Whether it may have documents.
        let isWritten: Bool
        /// Whether its documents could expire.
        private let hasTimeToLive: Bool

        init(_ engine: Engine, isWritten: Bool) {
            self.isWritten = isWritten
            hasTimeToLive = (try? engine.catalog().indexes.fieldOverrides.haveTimeToLive) ?? true
            incarnation = try? engine.incarnation()
            lastCommit = engine.environment.lastCommit
        }

        /// Whether documents of the file that is now at the path may expire: they could, or another program has written since. What cannot
        /// be read is left to whoever asks for the database.
        func mayExpire(at path: String) -> Bool {
            hasTimeToLive || Environment.lastCommit(ofClosed: path).map { $0 != lastCommit } ?? false
        }

        /// Whether the file of an engine has come from this one. That of an earlier copy has fewer commits.
        func isFormer(of engine: Engine) -> Bool {
            guard let incarnation, (try? engine.incarnation()) == incarnation else { return false }
            return lastCommit.number <= engine.lastTransactionID
        }
    }
#endif
