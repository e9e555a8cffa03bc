// SPDX-License-Identifier: Apache-2.0

import DocumentEngine
import DocumentModel
import QueryPlanner
import SyncCore

// What listeners are told.
extension FakeServer {
    func say(_ change: WatchChange, _ number: Int, _ state: inout State) {
        guard let connection = state.clients[number].connections[.watch] else { return }
        state.clients[number].report?(.watch(change, connection: connection))
    }

    /// Tells every client what is new, as one consistent state.
    func tell(_ state: inout State) {
        guard state.tellsListeners else { return }
        let token = Array("\(state.lastCommit.microseconds)".utf8)
        for number in state.clients.indices where state.clients[number].connections[.watch] != nil {
            for id in state.clients[number].listens.keys.sorted() { tell(id, token, number, &state) }
            let end = WatchChange.target(.none, targets: [], resumeToken: token, readTime: state.lastCommit)
            say(end, number, &state)
        }
    }

    private func tell(_ id: Int, _ token: [UInt8], _ number: Int, _ state: inout State) {
        guard var listen = state.clients[number].listens[id] else { return }
        let rows = rows(of: listen.target)
        for row in rows where listen.told[row.path] != row.updateTime {
            say(.document(SyncDocument(row), updated: [id], removed: []), number, &state)
        }
        let paths = Set(rows.map(\.path))
        for path in listen.told.keys where !paths.contains(path) {
            say(.deletion(path, readTime: state.lastCommit, removed: [id]), number, &state)
        }
        if case .document(let path) = listen.target.kind, rows.isEmpty, !listen.isCurrent {
            say(.deletion(path, readTime: state.lastCommit, removed: [id]), number, &state)
        }
        listen.told = Dictionary(uniqueKeysWithValues: rows.map { ($0.path, $0.updateTime) })
        if !listen.isCurrent {
            listen.isCurrent = true
            say(.target(.current, targets: [id], resumeToken: token, readTime: nil), number, &state)
        }
        state.clients[number].listens[id] = listen
    }

    private func rows(of target: SyncTarget) -> [Document] {
        switch target.kind {
        case .document(let path): (try? engine.document(path)).flatMap { $0 }.map { [$0] } ?? []
        case .query(let query): (try? engine.run(query, allowScan: true).documents) ?? []
        case .bundle: []
        }
    }
}
