// SPDX-License-Identifier: Apache-2.0

import DocumentModel
import SyncCore

/// The server's side of both streams, as far as a client can tell.
struct SimulatedNetwork {
    private(set) var connections: [SyncStream: Int] = [:]
    /// What the client listens to on the open stream, by its own numbers.
    var listens: [Int: ListenRequest] = [:]
    /// For each target, the listens that programs have begun, each with the numbers of its requests.
    private var wireIDs: [Int: [[Int]]] = [:]
    /// The writes that were sent on the open stream and not answered.
    var sentWrites: [[Write]] = []
    private(set) var watchRequests = 0
    private(set) var writeRequests = 0

    mutating func open(_ stream: SyncStream, _ connection: Int) {
        close(stream)
        connections[stream] = connection
    }

    mutating func close(_ stream: SyncStream) {
        connections[stream] = nil
        switch stream {
        case .watch: listens = [:]
        case .write: sentWrites = []
        }
    }

    /// - Parameter isNewListen: whether a program has asked for it, so that the request starts a listen of its own.
    mutating func receive(_ request: WatchRequest, isNewListen: Bool) {
        watchRequests += 1
        switch request {
        case .add(let listen):
            listens[listen.targetID] = listen
            var known = wireIDs[listen.targetID] ?? []
            if isNewListen || known.isEmpty { known.append([]) }
            known[known.count - 1].append(listen.wireID)
            wireIDs[listen.targetID] = known
        case .remove(let wireID):
            listens = listens.filter { $0.value.wireID != wireID }
        }
    }

    mutating func receive(_ request: WriteRequest) {
        writeRequests += 1
        if case .writes(let writes, _) = request { sentWrites.append(writes) }
    }

    /// The number of the last request of the target's `index`th listen, or of its last listen.
    func wireID(of target: Int, listen index: Int?) -> Int {
        guard let known = wireIDs[target], !known.isEmpty else { return -1 }
        let listen = index.map { $0 < known.count ? known[$0] : [] } ?? known[known.count - 1]
        return listen.last ?? -1
    }
}
