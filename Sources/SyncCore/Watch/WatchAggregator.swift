// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

/// What the aggregator must know of the client.
protocol WatchedTargets: AnyObject {
    /// Nil if the client has ceased to listen.
    func watched(_ id: Int) -> WatchedTarget?
    /// The documents that the server has said match the target.
    func remoteKeys(of id: Int) -> Set<DocumentPath>
}

/// A target that the client listens to.
struct WatchedTarget {
    var data: TargetData
    let isLimbo: Bool
}

/// Gathers the messages of one listen stream into consistent states.
///
/// Every request has a number of its own, so that the server's answers to an earlier request for the same target are
/// known by their number and dropped. Nothing is counted, and nothing that a server sends can be out of order.
struct WatchAggregator {
    private unowned let targets: any WatchedTargets
    private(set) var states: [Int: TargetState] = [:]
    private var targetOfWireID: [Int: Int] = [:]
    private var documents: [DocumentPath: SyncDocument] = [:]
    /// The targets that a document concerns.
    private var targetsOfDocument: [DocumentPath: Set<Int>] = [:]
    /// The targets for which the server has sent the document's contents, or their absence.
    private var targetsToldOf: [DocumentPath: Set<Int>] = [:]
    private var mismatches: [Int: ListenPurpose] = [:]
    /// The targets of which the next event may tell.
    private var news: Set<Int> = []
    /// The targets of one document that became current, or lost it, and of which it is not decided whether the document exists.
    private var undecided: Set<Int> = []

    init(_ targets: any WatchedTargets) {
        self.targets = targets
    }

    /// The number of the last request for the target.
    func wireID(of target: Int) -> Int? { states[target]?.wireID }

    /// The target that a message with this number is about; nil if it was removed since.
    func target(_ wireID: Int) -> Int? { targetOfWireID[wireID] }

    mutating func add(_ target: Int, wireID: Int) {
        remove(target)
        states[target] = TargetState(wireID: wireID)
        targetOfWireID[wireID] = target
    }

    /// A later listen of the target begins with what is stored, and finds out itself whether that is wrong.
    mutating func remove(_ target: Int) {
        guard let state = states.removeValue(forKey: target) else { return }
        targetOfWireID[state.wireID] = nil
        mismatches[target] = nil
    }

    // MARK: Messages

    mutating func handle(_ change: WatchChange, _ names: DatabaseID) {
        switch change {
        case .target(let kind, let wireIDs, let token, _):
            let concerned = wireIDs.isEmpty ? states.keys.filter(isActive) : wireIDs.compactMap { targetOfWireID[$0] }
            for target in concerned { handle(kind, target, token) }
        case .targetsRejected: break
        case .document(let document, let updated, let removed):
            for target in known(updated) { add(document, to: target) }
            for target in known(removed) { remove(document.path, document, from: target) }
        case .deletion(let path, let readTime, let removed):
            let missing = SyncDocument(path, readTime == nil ? .uncached : .missing, version: readTime ?? .noVersion)
            for target in known(removed) { remove(path, missing, from: target) }
        case .removal(let path, let removed):
            for target in known(removed) { remove(path, nil, from: target) }
        case .existenceFilter(let filter, let wireID):
            for target in known([wireID]) { check(filter, target, names) }
        }
    }

    private func known(_ wireIDs: [Int]) -> [Int] { wireIDs.compactMap { targetOfWireID[$0] }.filter(isActive) }

    private func isActive(_ target: Int) -> Bool {
        states[target]?.isAdded == true && targets.watched(target) != nil
    }

    private mutating func handle(_ kind: TargetChangeKind, _ target: Int, _ token: [UInt8]) {
        switch kind {
        case .added: states[target]?.markAdded()
        // Only the client's own request ends a target without a cause, and that number is forgotten already.
        case .removed: return
        case .none, .current, .reset:
            guard isActive(target) else { return }
            if case .current = kind {
                states[target]?.markCurrent()
                if targets.watched(target)?.data.target.document != nil { undecided.insert(target) }
            }
            if case .reset = kind { reset(target) }
        }
        states[target]?.note(token)
        news.insert(target)
    }

    private mutating func add(_ document: SyncDocument, to target: Int) {
        let isKnown = targets.remoteKeys(of: target).contains(document.path)
        states[target]?.note(isKnown ? .modified : .added, of: document.path)
        news.insert(target)
        note(document, for: target)
    }

    private mutating func remove(_ path: DocumentPath, _ document: SyncDocument?, from target: Int) {
        let isKnown = targets.remoteKeys(of: target).contains(path)
        states[target]?.note(isKnown ? .removed : nil, of: path)
        news.insert(target)
        if targets.watched(target)?.data.target.document != nil { undecided.insert(target) }
        targetsOfDocument[path, default: []].insert(target)
        if let document { note(document, for: target) }
    }

    /// Targets are told in no particular order, so an older version may follow a newer one. A document that was last
    /// changed before it was seen to be missing is missing.
    private mutating func note(_ document: SyncDocument, for target: Int) {
        let known = documents[document.path]
        if known.map({ !$0.isCached || !document.isCached || $0.version <= document.version }) ?? true {
            documents[document.path] = document
        }
        targetsOfDocument[document.path, default: []].insert(target)
        targetsToldOf[document.path, default: []].insert(target)
    }

    /// Forgets what was said of the target, and that its documents match, until the server says so again.
    private mutating func reset(_ target: Int) {
        states[target]?.reset()
        news.insert(target)
        for path in targets.remoteKeys(of: target) { remove(path, nil, from: target) }
    }

    // MARK: Existence filters

    private mutating func check(_ filter: ExistenceFilter, _ target: Int, _ names: DatabaseID) {
        guard let watched = targets.watched(target), let state = states[target] else { return }
        if let path = watched.data.target.document {
            if filter.count == 0 { remove(path, .uncached(path), from: target) }
            return
        }
        let keys = targets.remoteKeys(of: target)
        let summary = state.summary
        let count = keys.count + summary.added.count - summary.removed.count
        guard count != filter.count else { return }
        guard let bloom = filter.unchangedNames, !bloom.isEmpty else { return mark(target, .existenceFilterMismatch) }
        let missing = keys.filter { path in
            !bloom.mightContain("\(names.resourceName)/documents/\(path)")
        }
        for path in missing { remove(path, nil, from: target) }
        if count - missing.count != filter.count { mark(target, .existenceFilterMismatchBloom) }
    }

    private mutating func mark(_ target: Int, _ purpose: ListenPurpose) {
        reset(target)
        mismatches[target] = purpose
    }

    // MARK: Events

    /// Lets the next event say whether the document of a target exists.
    mutating func doubt(_ target: Int) { undecided.insert(target) }

    /// All that was gathered, as the state at `version`.
    mutating func takeEvent(at version: Timestamp) -> RemoteEvent {
        var event = RemoteEvent(version: version)
        for target in undecided.sorted() { decide(target, version) }
        for target in news.sorted() {
            guard isActive(target), let state = states[target], state.hasNews else { continue }
            event.targetChanges[target] = state.summary
            states[target]?.clearNews()
            news.remove(target)
        }
        for (path, concerned) in targetsOfDocument
        where concerned.allSatisfy({ targets.watched($0)?.isLimbo ?? true }) {
            event.resolvedLimboDocuments.insert(path)
        }
        event.documents = documents
        event.mismatches = mismatches
        (documents, targetsOfDocument, targetsToldOf, mismatches) = ([:], [:], [:], [:])
        return event
    }

    /// A current target of one document that the server has not sent for it: the document does not exist. Whether
    /// another target got the document is no matter, as it may be about to leave that one.
    private mutating func decide(_ target: Int, _ version: Timestamp) {
        undecided.remove(target)
        guard isActive(target), states[target]?.isCurrent == true, let watched = targets.watched(target),
            let path = watched.data.target.document
        else { return }
        if targetsToldOf[path]?.contains(target) == true {
            if watched.isLimbo || documents[path]?.isCached == false { undecided.insert(target) }
            return
        }
        if targets.remoteKeys(of: target).contains(path) {
            // Views know of the removal with this event.
            if case .removed = states[target]?.changes[path] { undecided.insert(target) }
            return
        }
        remove(path, SyncDocument(path, .missing, version: version), from: target)
        // The client may have a later version, of a write of its own: a resolution goes on until it has caught up.
        if !watched.isLimbo { undecided.remove(target) }
    }
}
