// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import DocumentModel
    internal import FirestoreProtocol

    // Without the rest of Foundation the program is half as large.
    #if canImport(FoundationEssentials)
        internal import FoundationEssentials
    #else
        internal import Foundation
    #endif

    extension FirestoreService {
        /// Write: commits one after another over any stream of messages in both directions. The first message names the database; a
        /// commit that fails ends the stream.
        func write(
            _ requests: AsyncThrowingStream<ProtoWriteRequest, any Error>, as credentials: Credentials,
            _ send: (ProtoWriteResponse) async throws -> Void
        ) async throws {
            var database: DatabaseID?
            var count: UInt64 = 0
            for try await request in requests {
                var response = ProtoWriteResponse()
                if let database {
                    if !request.writes.isEmpty {
                        let result = try await commit(
                            try [Write](request.writes, in: database), transaction: nil, in: database, by: credentials)
                        response.writeResults = result.results.map(\.message)
                        response.commitTime = result.commitTime.message
                    }
                } else {
                    guard request.writes.isEmpty, request.streamToken.isEmpty, request.streamID.isEmpty else {
                        throw RequestError.invalid("The first message of a Write stream has the database alone.")
                    }
                    database = try ResourceName.database(request.database)
                    response.streamID = AutoID.make()
                }
                count += 1
                response.streamToken = Data(count.bigEndianBytes)
                try await send(response)
            }
        }
    }
#endif
