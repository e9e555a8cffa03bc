// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import DocumentEngine
    internal import DocumentModel
    internal import FirestoreProtocol

    /// What a stream has not seen yet.
    enum MissedChanges {
        /// All of these.
        case all([VersionChange])
        /// More than is held at once, since a time.
        case since(Timestamp)
    }

    // How a target comes from the state that the client knows to a later one.
    extension ListenTarget {
        /// The messages of a later state, or the first part of them.
        ///
        /// - Returns: nil if so much has changed that the whole result is the shorter way.
        mutating func apply(
            _ missed: MissedChanges, at snapshot: Snapshot
        ) throws(RequestError) -> [ProtoListenResponse]? {
            switch missed {
            case .all(let changes): try apply(changes, at: snapshot)
            case .since(let time): try advance(from: time, at: snapshot)
            }
        }

        /// The same, from the documents that the client knows as of a time.
        mutating func advance(
            from time: Timestamp, at snapshot: Snapshot
        ) throws(RequestError) -> [ProtoListenResponse]? {
            if case .query(let query) = kind, !dependsOnOthers {
                return try resume(query, from: time, at: snapshot)
            }
            return try begin(TargetRest(TargetPages(kind), .difference(known, changed: nil)), at: snapshot)
        }

        private mutating func apply(
            _ changes: [VersionChange], at snapshot: Snapshot
        ) throws(RequestError) -> [ProtoListenResponse] {
            if case .documents = kind { return try applyToDocuments(changes, at: snapshot.time) }
            if dependsOnOthers {
                var concerned: [VersionChange] = []
                for change in changes where try concerns(change) { concerned.append(change) }
                guard !concerned.isEmpty else { return [] }
                let changed = Set(concerned.map(\.path))
                return try begin(TargetRest(TargetPages(kind), .difference(known, changed: changed)), at: snapshot)
            }
            var responses: [ProtoListenResponse] = []
            for change in changes {
                let new = isInScope(change.path.collection) ? try change.new?.whole() : nil
                if let new, matches(new) {
                    responses.append(.document(message(new), added: [id]))
                } else if let old = change.old, try matches(old) {
                    responses.append(try departure(of: change.path, change.new, at: snapshot.time))
                }
            }
            return responses
        }

        private mutating func applyToDocuments(
            _ changes: [VersionChange], at time: Timestamp
        ) throws(RequestError) -> [ProtoListenResponse] {
            guard case .documents(let paths) = kind else { return [] }
            var responses: [ProtoListenResponse] = []
            for change in changes where paths.contains(change.path) {
                if let record = change.new {
                    known[change.path] = try record.changeTime()
                    responses.append(.document(try message(record), added: [id]))
                } else {
                    known[change.path] = nil
                    responses.append(.deletion(change.path.name(in: database.id), id, at: time))
                }
            }
            return responses
        }

        /// Whether a change may change the result: the old or the new version is a row.
        private func concerns(_ change: VersionChange) throws(RequestError) -> Bool {
            if known[change.path] != nil { return true }
            if let new = change.new, try matches(new) { return true }
            if let old = change.old, try matches(old) { return true }
            return false
        }
    }
#endif
