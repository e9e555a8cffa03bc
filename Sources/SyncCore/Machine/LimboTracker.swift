// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

/// The documents that views show and their targets do not contain. Each is asked for by a listen of its own, a few at a
/// time, in the order in which they fell into doubt.
struct LimboTracker {
    struct Resolution {
        let path: DocumentPath
        /// Whether the server has sent the document.
        var hasDocument = false
    }

    private let limit: Int
    private var references = ReferenceSet()
    private var queue = WaitingList<DocumentPath>()
    private(set) var resolutions: [Int: Resolution] = [:]
    private var targetOfPath: [DocumentPath: Int] = [:]
    private var nextTarget = 1

    init(limit: Int) {
        self.limit = limit
    }

    var waitingPaths: [DocumentPath] { queue.inOrder }
    var activePaths: [DocumentPath] { resolutions.keys.sorted().map { resolutions[$0]!.path } }

    mutating func add(_ path: DocumentPath, for target: Int) {
        references.insert(path, target)
        if targetOfPath[path] == nil { queue.append(path) }
    }

    /// The target to stop, if nothing else refers to the document.
    mutating func remove(_ path: DocumentPath, for target: Int) -> Int? {
        references.remove(path, target)
        return end(path)
    }

    /// The targets to stop after a view's target has ended.
    mutating func removeAll(of target: Int) -> [Int] {
        references.removeAll(of: target).compactMap { end($0) }.sorted()
    }

    /// The next document to ask for, if few enough are being asked for.
    mutating func next() -> (target: Int, path: DocumentPath)? {
        guard resolutions.count < limit, let path = queue.takeFirst() else { return nil }
        let target = nextTarget
        nextTarget += 2
        resolutions[target] = Resolution(path: path)
        targetOfPath[path] = target
        return (target, path)
    }

    /// Ends a resolution whose target the server has ended.
    mutating func finish(_ target: Int) {
        guard let resolution = resolutions.removeValue(forKey: target) else { return }
        targetOfPath[resolution.path] = nil
    }

    /// Lets all documents wait again, the first ones first.
    ///
    /// - Returns: the targets to stop.
    mutating func interrupt() -> [Int] {
        let targets = resolutions.keys.sorted()
        var waiting = WaitingList<DocumentPath>()
        for path in activePaths + waitingPaths { waiting.append(path) }
        (queue, resolutions, targetOfPath) = (waiting, [:], [:])
        return targets
    }

    mutating func note(_ change: TargetChange, _ target: Int) {
        if !change.added.isEmpty { resolutions[target]?.hasDocument = true }
        if !change.removed.isEmpty { resolutions[target]?.hasDocument = false }
    }

    private mutating func end(_ path: DocumentPath) -> Int? {
        guard !references.contains(path) else { return nil }
        queue.remove(path)
        guard let target = targetOfPath[path] else { return nil }
        finish(target)
        return target
    }
}
