// SPDX-License-Identifier: Apache-2.0

internal import DocumentEngine
internal import DocumentModel

extension Database {
    /// The collection at a path: `cities`, or `cities/SF/landmarks`.
    ///
    /// Nothing is read: a collection exists when it holds documents. An impossible path (empty, or with an even number of
    /// segments) is refused with `invalidArgument` by the calls that use the reference.
    public func collection(_ collectionPath: String) -> CollectionReference {
        CollectionReference(self, under: .success(nil), collectionPath)
    }

    /// The document at a path: `cities/SF`.
    ///
    /// Nothing is read. An impossible path (empty, or with an odd number of segments) is refused with `invalidArgument` by the
    /// calls that use the reference.
    public func document(_ documentPath: String) -> DocumentReference {
        DocumentReference(self, under: .success(nil), documentPath)
    }

    /// The IDs of the collections at the root that hold documents at any depth, in order of their UTF-8 bytes.
    ///
    /// - Throws: ``FirestoreError`` where the file cannot be opened or read.
    public nonisolated(nonsending) func listCollections() async throws -> [CollectionReference] {
        try await collectionsJob(under: .success(nil)).value()
    }

    /// The same with a callback.
    public func listCollections(
        completion: @escaping (_ collections: [CollectionReference]?, _ error: (any Error)?) -> Void
    ) {
        collectionsJob(under: .success(nil)).start { completion($0.success, $0.failure) }
    }

    func collectionsJob(under parent: Result<DocumentPath?, FirestoreError>) -> Job<[CollectionReference]> {
        Job(self, .read) { [self] engine in
            let parent = try parent.get()
            let ids: [Text]
            do throws(EngineError) { ids = try engine.collectionIDs(under: parent) } catch {
                throw FirestoreError(error)
            }
            return ids.map { CollectionReference(self, CollectionPath((parent?.resource ?? .root).appending($0))) }
        }
    }
}

extension Synchronous where Base == Database {
    /// ``Database/listCollections()``, blocking.
    public func listCollections() throws -> [CollectionReference] {
        try base.collectionsJob(under: .success(nil)).wait()
    }

    /// ``Database/terminate()``, blocking.
    public func terminate() throws {
        try base.terminateJob().wait()
    }
}

extension Database: SynchronousForms {}

extension ResourcePath {
    /// Whether text is one segment, so that nothing need be taken apart.
    static func isOneSegment(_ text: String) -> Bool {
        let utf8 = text.utf8.span
        for index in utf8.indices where utf8[index] == UInt8(ascii: "/") { return false }
        return !utf8.isEmpty
    }

    /// A path as the client library takes it: a slash at either end is ignored, two in a row are not (D-7).
    static func segments(of text: String) throws(FirestoreError) -> ResourcePath {
        // Mostly one segment, for which no list of pieces is made.
        guard !isOneSegment(text) else { return ResourcePath(segments: [Text(text)]) }
        let isDoubled = zip(text.utf8, text.utf8.dropFirst()).contains { $0 == $1 && $0 == UInt8(ascii: "/") }
        guard !isDoubled else {
            throw .invalidArgument("Invalid path (\(text)). Paths must not contain // in them.")
        }
        let pieces = text.utf8.split(separator: UInt8(ascii: "/"))
        return ResourcePath(segments: pieces.map { Text(String(Substring($0))) })
    }
}
