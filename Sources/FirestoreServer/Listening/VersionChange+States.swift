// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import DocumentEngine
    internal import DocumentModel

    extension [VersionChange] {
        /// Commits of which each is shown by itself if there are more to show. Beyond, they are joined.
        private static let commitLimit = 200

        /// The changes by commit. If there are many commits, they become one state.
        var states: [(time: Timestamp, changes: [VersionChange])] {
            var commits: [(time: Timestamp, changes: [VersionChange])] = []
            for change in self {
                if commits.last?.time == change.commitTime {
                    commits[commits.count - 1].changes.append(change)
                } else {
                    commits.append((change.commitTime, [change]))
                }
            }
            guard commits.count > Self.commitLimit, let last = commits.last else { return commits }
            return [(last.time, joined)]
        }

        /// One change for each document, as of the last commit, by name.
        private var joined: [VersionChange] {
            guard let last else { return [] }
            var latest: [DocumentPath: VersionChange] = [:]
            for change in self {
                let old = latest[change.path].map(\.old) ?? change.old
                latest[change.path] = VersionChange(
                    commitTime: last.commitTime, path: change.path, old: old, new: change.new)
            }
            return latest.values.sorted { $0.path < $1.path }
        }
    }
#endif
