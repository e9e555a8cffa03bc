// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import DocumentModel
    internal import FirestoreProtocol

    extension FirestoreService {
        /// Write: commits one after another over any stream of messages in both directions. The first message names the database; a
        /// commit that fails ends the stream.
        func write(
            _ requests: AsyncThrowingStream<WriteRequest, any Error>, as credentials: Credentials,
            _ send: (WriteResponse) async throws -> Void
        ) async throws {
            var database: DatabaseID?
            var count: UInt64 = 0
            for try await request in requests {
                var response = WriteResponse(token: [])
                if let database {
                    let writes = try request.writes(database)
                    if !writes.isEmpty {
                        response.result = try await commit(writes, transaction: nil, in: database, by: credentials)
                    }
                } else {
                    guard !request.continues else {
                        throw RequestError.invalid("The first message of a Write stream has the database alone.")
                    }
                    database = try ResourceName.database(request.database)
                    response.streamID = AutoID.make()
                }
                count += 1
                response.token = count.bigEndianBytes
                try await send(response)
            }
        }
    }
#endif
