// SPDX-License-Identifier: Apache-2.0

internal import DocumentEngine
internal import DocumentModel

extension Database {
    /// Returns a reference to the collection at a path, such as `cities` or `cities/SF/landmarks`.
    ///
    /// Nothing is read: a collection exists while it holds documents. Calls that use a reference with an invalid path
    /// (empty, or with an even number of segments) throw `invalidArgument`.
    public func collection(_ collectionPath: String) -> CollectionReference {
        CollectionReference(self, under: .success(nil), collectionPath)
    }

    /// Returns a reference to the document at a path, such as `cities/SF`.
    ///
    /// Nothing is read. Calls that use a reference with an invalid path (empty, or with an odd number of segments)
    /// throw `invalidArgument`.
    public func document(_ documentPath: String) -> DocumentReference {
        DocumentReference(DatabaseOrigin(self), under: .success(nil), documentPath)
    }

    /// Lists the root collections that hold documents at any depth, in the order of the UTF-8 bytes of their IDs.
    ///
    /// - Throws: ``FirestoreError`` if the file cannot be opened or read.
    public nonisolated(nonsending) func listCollections() async throws -> [CollectionReference] {
        try await collectionsJob(under: .success(nil)).value()
    }

    /// Lists the root collections and calls `completion` with them or with an error; see ``listCollections()``.
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

extension BlockingAPI where Base == Database {
    /// The blocking form of ``Database/listCollections()``.
    public func listCollections() throws -> [CollectionReference] {
        try base.collectionsJob(under: .success(nil)).wait()
    }

    /// The blocking form of ``Database/terminate()``.
    public func terminate() throws {
        try base.terminateJob().wait()
    }
}

extension Database: BlockingAPIProviding {}

extension ResourcePath {
    /// Parses a path as the client library does: a slash at either end is ignored, two in a row are refused (D-7).
    static func segments(of text: String) throws(FirestoreError) -> ResourcePath {
        // Most paths have one segment, which needs no array of pieces.
        guard !isOneSegment(text) else { return ResourcePath(segments: [Text(text)]) }
        let isDoubled = zip(text.utf8, text.utf8.dropFirst()).contains { $0 == $1 && $0 == UInt8(ascii: "/") }
        guard !isDoubled else {
            throw .invalidArgument("Invalid path (\(text)). Paths must not contain // in them.")
        }
        let pieces = text.utf8.split(separator: UInt8(ascii: "/"))
        return ResourcePath(segments: pieces.map { Text(String(Substring($0))) })
    }
}
