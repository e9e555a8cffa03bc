// SPDX-License-Identifier: Apache-2.0

import DocumentModel
import Foundation
import JSONText
import SyncCore

/// A step that could not be taken.
struct StepFailure: Error, CustomStringConvertible {
    let description: String
}

extension ScenarioRunner {
    func perform(_ step: JSONNode) throws {
        guard let member = step.members?.first(where: { ScenarioRunner.isAction($0.key) }) else { return }
        if member.key.hasPrefix("watch") {
            try performWatch(member.key, member.node)
        } else {
            try performCall(member.key, member.node)
        }
    }

    private func performCall(_ name: String, _ node: JSONNode) throws {
        switch name {
        case "userListen": try listen(node)
        case "userUnlisten":
            let query = try ScenarioForm.query(node.elements?.last ?? node)
            guard let listener = listeners.removeValue(forKey: query) else {
                throw StepFailure(description: "no listener of this query")
            }
            feed(.unlisten(listener: listener))
        case "userSet", "userPatch", "userDelete": try write(name, node)
        case "writeAck":
            guard !network.sentWrites.isEmpty else { throw StepFailure(description: "no write was sent") }
            acknowledge(at: ScenarioForm.version(node["version"]))
        case "failWrite":
            guard !network.sentWrites.isEmpty else { throw StepFailure(description: "no write was sent") }
            fail(.write, ScenarioForm.error(node["error"]))
        case "loadBundle": feed(.loadBundle(Array((node.string ?? "").utf8), load: number()))
        case "runTimer":
            guard let timers = VirtualTimers.named(node.string ?? "") else { return runTimers() }
            guard timers.contains(where: { runTimers(until: $0) }) || timers.contains(where: VirtualTimers.mayRest)
            else {
                throw StepFailure(description: "the timer does not run")
            }
        case "enableNetwork":
            networkIsEnabled = node.boolean ?? true
            feed(networkIsEnabled ? .enableNetwork : .disableNetwork)
        case "changeUser": change(to: node.string)
        case "restart": try restart()
        case "triggerLruGC":
            feed(
                .collectGarbage(
                    threshold: Int(node["cacheThreshold"]?.number?.int64 ?? node.number?.int64 ?? 0), percentile: 100))
            while let (timer, ticket) = timers.take(.collection) { feed(.timer(timer, ticket: ticket)) }
        case "addSnapshotsInSyncListener":
            observers.append(number())
            feed(.observeSnapshotsInSync(observer: observers.last!))
        case "removeSnapshotsInSyncListener": feed(.endSnapshotsInSync(observer: observers.removeFirst()))
        case "waitForPendingWrites": feed(.waitForPendingWrites(wait: number()))
        case "drainQueue", "applyClientState": break
        case "shutdown":
            feed(.shutdown)
            isShutDown = true
        case "failDatabase": failDatabase(ScenarioForm.strings(node))
        default: throw StepFailure(description: "unknown step \(name)")
        }
    }

    /// What a tab reads of others' changes in several transactions is read in one here.
    private func failDatabase(_ names: [String]) {
        replica.failing = Set(names)
        if names.contains("Lookup mutation documents") || names.contains("Get new document changes") {
            replica.failing.insert(ReplicaOperation.look.rawValue)
        }
    }

    private func listen(_ node: JSONNode) throws {
        let query = try ScenarioForm.query(node["query"] ?? node)
        let listener = number()
        let options = ListenOptions(
            // The official runners leave waitForSyncWhenOnline out, and the expected events are those without it.
            includesMetadataChanges: node["options"]?["includeMetadataChanges"]?.boolean ?? true,
            source: node["options"]?["source"]?.string == "cache" ? .cache : .serverAndCache)
        listeners[query] = listener
        queryOfListener[listener] = query
        feed(.listen(query, options, listener: listener))
        let target =
            try replica.look { (records) throws(ReplicaError) in try records.target(query.target.canonicalID) }?.id ?? 0
        guard let wanted = node["targetId"]?.number?.int64, target == wanted else {
            throw StepFailure(description: "the target is \(target)")
        }
    }

    private func write(_ name: String, _ node: JSONNode) throws {
        let key = node.string ?? node.elements?.first?.string ?? ""
        let path = try ScenarioForm.path(key)
        let fields = try node.elements.map { try PlainJSON.readFields($0[1]) } ?? .empty
        let write: Write =
            switch name {
            case "userSet": .set(path, fields)
            case "userDelete": Write(path, .delete)
            default: Write(path, patch(fields), precondition: .exists(true))
            }
        let number = number()
        writtenPaths[number] = [key]
        feed(.write([write], write: number))
    }

    /// Names of fields are paths, and one text stands for a deletion.
    private func patch(_ fields: Fields) -> Write.Operation {
        var values = Fields.empty
        let mask = fields.map { field in
            let path = FieldPath(field.name.string.split(separator: ".").map { Text(String($0)) })
            if field.value != .string("<DELETE>") { values.set(field.value, at: path) }
            return path
        }
        return .update(values, mask: mask, transforms: [])
    }

    // MARK: The server's messages

    private func performWatch(_ name: String, _ node: JSONNode) throws {
        switch name {
        case "watchAck": say(.target(.added, targets: wireIDs(node), resumeToken: [], readTime: nil))
        case "watchCurrent":
            say(
                .target(
                    .current, targets: wireIDs(node.elements?[0]), resumeToken: token(node.elements?[1]),
                    readTime: nil))
        case "watchReset": say(.target(.reset, targets: wireIDs(node), resumeToken: [], readTime: nil))
        case "watchRemove": remove(node)
        case "watchEntity": try tell(node)
        case "watchFilter": try filter(node)
        case "watchSnapshot":
            let time = node["version"].map { ScenarioForm.version($0) }
            say(
                .target(
                    .none, targets: wireIDs(node["targetIds"]), resumeToken: token(node["resumeToken"]),
                    readTime: time))
        case "watchStreamClose":
            waitsForBackoff = true
            defer { waitsForBackoff = false }
            fail(.watch, ScenarioForm.error(node["error"]))
            if node["runBackoffTimer"]?.boolean == true, !listeners.isEmpty {
                runTimers(until: .backoff(.watch))
            }
        case "watchUsesTargetIndex": listenIndex = node.number?.int64.map { Int($0) }
        default: throw StepFailure(description: "unknown step \(name)")
        }
    }

    private func wireIDs(_ node: JSONNode?) -> [Int] {
        ScenarioForm.integers(node).map { network.wireID(of: $0, listen: listenIndex) }
    }

    private func token(_ node: JSONNode?) -> [UInt8] { Array((node?.string ?? "").utf8) }

    private func remove(_ node: JSONNode) {
        let targets = wireIDs(node["targetIds"])
        guard let cause = node["cause"], !cause.isNull else {
            return say(.target(.removed, targets: targets, resumeToken: [], readTime: nil))
        }
        network.listens = network.listens.filter { !targets.contains($0.value.wireID) }
        say(.targetsRejected(targets, ScenarioForm.error(cause)))
    }

    private func tell(_ node: JSONNode) throws {
        let updated = wireIDs(node["targets"])
        let removed = wireIDs(node["removedTargets"])
        if let key = node["key"]?.string {
            return say(.removal(try ScenarioForm.path(key), removed: removed))
        }
        for entry in node["docs"]?.elements ?? node["doc"].map({ [$0] }) ?? [] {
            let document = try ScenarioForm.document(entry)
            say(
                document.isFound
                    ? .document(document, updated: updated, removed: removed)
                    : .deletion(document.path, readTime: document.version, removed: updated + removed))
        }
    }

    private func filter(_ node: JSONNode) throws {
        var names: BloomFilter?
        if let bloom = node["bloomFilter"], let bits = bloom["bits"],
            let bitmap = Data(base64Encoded: bits["bitmap"]?.string ?? "")
        {
            names = BloomFilter(
                bitmap: [UInt8](bitmap),
                padding: Int(bits["padding"]?.number?.int64 ?? 0),
                hashCount: Int(bloom["hashCount"]?.number?.int64 ?? 0))
        }
        let filter = ExistenceFilter(count: node["keys"]?.elements?.count ?? 0, unchangedNames: names)
        for target in wireIDs(node["targetIds"]) { say(.existenceFilter(filter, target: target)) }
    }
}
