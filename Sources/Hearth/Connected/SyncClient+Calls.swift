// SPDX-License-Identifier: Apache-2.0

internal import SyncCore

// Calls that change the queue or the cache, each with one answer.
extension Job where R == Void {
    /// - Parameter call: the input for the machine, from the number of the call.
    init(
        changing database: Database, _ call: @escaping @Sendable (SyncClient, Int) throws -> SyncInput
    ) {
        self.init(askingClientOf: database) { client, deliver in
            let number = client.nextNumber()
            client.submit(try call(client, number)) {
                $0.calls[number] = { deliver($0.map { .failure($0) } ?? .success(())) }
            }
        }
    }
}
