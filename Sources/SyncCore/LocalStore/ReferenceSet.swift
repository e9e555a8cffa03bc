// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

/// Which targets refer to which documents, found from either side.
struct ReferenceSet {
    private var targetsOfPath: [DocumentPath: Set<Int>] = [:]
    private var pathsOfTarget: [Int: Set<DocumentPath>] = [:]

    func contains(_ path: DocumentPath) -> Bool { targetsOfPath[path] != nil }

    func targets(of path: DocumentPath) -> Set<Int> { targetsOfPath[path] ?? [] }

    mutating func insert(_ path: DocumentPath, _ target: Int) {
        targetsOfPath[path, default: []].insert(target)
        pathsOfTarget[target, default: []].insert(path)
    }

    mutating func remove(_ path: DocumentPath, _ target: Int) {
        targetsOfPath[path]?.remove(target)
        if targetsOfPath[path]?.isEmpty == true { targetsOfPath[path] = nil }
        pathsOfTarget[target]?.remove(path)
    }

    /// Removes all references of a target and returns them.
    mutating func removeAll(of target: Int) -> Set<DocumentPath> {
        let paths = pathsOfTarget.removeValue(forKey: target) ?? []
        for path in paths {
            targetsOfPath[path]?.remove(target)
            if targetsOfPath[path]?.isEmpty == true { targetsOfPath[path] = nil }
        }
        return paths
    }
}
