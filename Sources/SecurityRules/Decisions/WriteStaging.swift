// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

/// Applies the writes of a commit one after another, without storing them, and says what each document comes to: the
/// change that rules judge. Preconditions are not checked, because rules come first.
struct WriteStaging {
    private let time: Timestamp
    /// One for each document, in the order of the first writes.
    private(set) var writes: [RuleWrite] = []
    private var places: [ResourcePath: Int] = [:]
    /// One for each of `writes`.
    private var changes: [Change] = []

    /// What the writes of one document name together, as the emulator has it.
    private struct Change {
        /// Nil from the first write on that replaces or deletes the whole document.
        var mask: [FieldPath]? = []
        var transforms: [FieldPath] = []

        mutating func add(_ paths: [FieldPath]?) {
            guard let paths, let mask else { return mask = nil }
            self.mask = mask.isEmpty ? paths : mask + paths
        }

        var writeFields: [Text]? {
            mask == nil && transforms.isEmpty ? nil : (transforms + outermost(mask ?? [])).map { Text($0.wire) }
        }

        /// Each path once, without those inside another one.
        private func outermost(_ paths: [FieldPath]) -> [FieldPath] {
            let all = Set(paths)
            var seen: Set<FieldPath> = []
            return paths.filter { path in
                let isInside = (1..<path.segments.count).contains {
                    all.contains(FieldPath(Array(path.segments.prefix($0))))
                }
                return !isInside && seen.insert(path).inserted
            }
        }
    }

    /// - Parameter time: the time of server timestamps.
    init(time: Timestamp) {
        self.time = time
    }

    /// A document after the writes so far; nil if it is missing.
    func fields(of path: ResourcePath, stored: (ResourcePath) -> Fields?) -> Fields? {
        places[path].map { writes[$0].after } ?? stored(path)
    }

    /// - Parameters:
    ///   - exists: the precondition on existence; true also for one on the update time.
    ///   - stored: a document's fields before the commit. It is asked only if the result depends on them.
    mutating func apply(
        _ path: ResourcePath, _ operation: Write.Operation, exists: Bool?, stored: (ResourcePath) -> Fields?
    ) {
        let place = places[path]
        var staged = RuleWrite(path, exists: exists, after: nil, isAfterKnown: true)
        var change = place.map { changes[$0] } ?? Change()
        switch operation {
        // Requests that write the document, too, are refused.
        case .verify: staged = RuleWrite(verifying: path, stored: stored(path))
        case .delete: change = Change(mask: nil)
        case .update(let fields, let mask, let transforms):
            let isKnown = place.map { writes[$0].isAfterKnown } ?? false
            // The emulator takes any transform, that of a server timestamp too, for one of what is stored.
            staged.isAfterKnown = (mask == nil || isKnown) && transforms.isEmpty
            let current = mask == nil ? nil : place.map { writes[$0].after } ?? stored(path)
            var after = Fields.merged(current, fields, mask: mask)
            for transform in transforms {
                after.set(transform.apply(to: after[transform.path], at: time).value, at: transform.path)
            }
            staged.after = after
            change.add(mask)
            change.transforms += transforms.map(\.path)
        }
        staged.transforms = change.transforms.isEmpty ? nil : change.transforms.map { Text($0.wire) }
        staged.writeFields = change.writeFields
        guard let place else {
            places[path] = writes.count
            changes.append(change)
            return writes.append(staged)
        }
        changes[place] = change
        // The first write's precondition is about the state before the commit.
        staged.exists = writes[place].exists
        writes[place] = staged
    }
}
