// SPDX-License-Identifier: Apache-2.0

#if Connected
    package import DocumentModel
    internal import FirestoreProtocol
    package import QueryPlanner
    internal import SwiftProtobuf
    package import SyncCore

    extension FirestoreClient {
        /// The IDs of all collections below a document, or of the root.
        package func collectionIDs(
            under parent: DocumentPath?, at time: Timestamp? = nil
        ) async throws(SyncError) -> [Text] {
            var ids: [Text] = []
            var request = ProtoListCollectionIdsRequest()
            request.parent = ResourceName.name(of: parent, in: database)
            request.pageSize = 300
            if let time { request.readTime = time.message }
            repeat {
                let response: ProtoListCollectionIdsResponse = try await unary("ListCollectionIds", request)
                ids += response.collectionIds.map { Text($0) }
                request.pageToken = response.nextPageToken
            } while !request.pageToken.isEmpty
            return ids
        }

        /// Positions that cut a collection group's documents, in the order of their names, into at most `count` + 1 parts.
        ///
        /// - Throws: `unimplemented` from the official emulator.
        package func partitions(
            of query: Query, count: Int, at time: Timestamp? = nil
        ) async throws(SyncError) -> [QueryPlanner.Cursor] {
            var cursors: [QueryPlanner.Cursor] = []
            var request = ProtoPartitionQueryRequest()
            request.parent = query.parentName(in: database)
            request.structuredQuery = query.message(in: database)
            request.partitionCount = Int64(count)
            if let time { request.readTime = time.message }
            repeat {
                let response: ProtoPartitionQueryResponse = try await unary("PartitionQuery", request)
                for partition in response.partitions {
                    cursors.append(
                        try translated { () throws(RequestError) in
                            try QueryPlanner.Cursor(partition, in: database)
                        })
                }
                request.pageToken = response.nextPageToken
            } while !request.pageToken.isEmpty
            return cursors
        }
    }
#endif
