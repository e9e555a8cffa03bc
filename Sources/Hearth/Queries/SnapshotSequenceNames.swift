// SPDX-License-Identifier: Apache-2.0

extension Query {
    /// FirebaseFirestore's name for ``QuerySnapshots``.
    public typealias QuerySnapshotsSequence = QuerySnapshots
}

extension DocumentReference {
    /// FirebaseFirestore's name for ``DocumentSnapshots``.
    public typealias DocumentSnapshotsSequence = DocumentSnapshots
}
