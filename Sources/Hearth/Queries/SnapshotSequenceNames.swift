// SPDX-License-Identifier: Apache-2.0

extension Query {
    /// FirebaseFirestore's name of ``QuerySnapshots``.
    public typealias QuerySnapshotsSequence = QuerySnapshots
}

extension DocumentReference {
    /// FirebaseFirestore's name of ``DocumentSnapshots``.
    public typealias DocumentSnapshotsSequence = DocumentSnapshots
}
