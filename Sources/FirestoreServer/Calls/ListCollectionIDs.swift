// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import DocumentModel
    internal import FirestoreProtocol

    extension FirestoreService {
        /// ListCollectionIds: the collections under a document, which need not exist, or at the root.
        func listCollectionIDs(
            under parent: DocumentPath?, pageSize: Int, pageToken: String, at snapshot: Snapshot
        ) throws(RequestError) -> (ids: [Text], nextPageToken: String) {
            guard pageSize >= 0 else { throw .invalid("Page size must be nonnegative.") }
            var ids = try snapshot.collectionIDs(under: parent)
            if let after = try PageToken.text(of: pageToken).map({ Text($0) }) { ids = ids.filter { after < $0 } }
            guard pageSize > 0, ids.count > pageSize else { return (ids, "") }
            return (Array(ids.prefix(pageSize)), PageToken.text(ids[pageSize - 1]))
        }
    }
#endif
