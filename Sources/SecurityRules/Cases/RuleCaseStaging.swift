// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

/// Applies the writes of a commit to documents in memory: what rules judge, and what preconditions say.
struct RuleCaseStaging {
    private let documents: (ResourcePath) -> Fields?
    private let time: Timestamp
    /// One for each document, in the order of the first writes.
    private(set) var writes: [RuleWrite] = []
    private(set) var verified: [ResourcePath] = []
    /// Why the request is refused before the rules are asked.
    private(set) var invalidity: String?
    /// The first precondition that fails.
    private(set) var failure: (RuleCaseAnswer.Status, String)?

    init(documents: @escaping (ResourcePath) -> Fields?, time: Timestamp) {
        self.documents = documents
        self.time = time
    }

    mutating func apply(_ write: RuleCaseWrite) throws(DocumentFormError) {
        if let reserved = write.path.segments.first(where: { FieldPath.isReserved($0) }) {
            invalidity = "Resource id \"\(reserved)\" is invalid because it is reserved."
        }
        let place = writes.firstIndex { $0.path == write.path }
        if case .verify = write.operation {
            if place != nil { invalidity = "the same document cannot be written and then verified in a single request" }
            verified.append(write.path)
            return
        }
        let current = place.map { writes[$0].after } ?? documents(write.path)
        check(write, exists: current != nil)
        var staged = RuleWrite(write.path, exists: write.exists, after: nil, isAfterKnown: true)
        if case .update(let fields, let mask, let transforms) = write.operation {
            let isKnown = place.map { writes[$0].isAfterKnown } ?? false
            let readsStored = transforms.contains { if case .serverTimestamp = $0.operation { false } else { true } }
            staged.isAfterKnown = (mask == nil || isKnown) && !readsStored
            var after = Fields.merged(current, fields, mask: mask)
            for transform in transforms {
                after.set(transform.apply(to: after[transform.path], at: time).value, at: transform.path)
            }
            staged.after = after
            let changed = transforms.map { Text($0.path.wire) }
            staged.transforms = transforms.isEmpty ? nil : changed
            staged.writeFields = mask == nil && transforms.isEmpty ? nil : (mask ?? []).map { Text($0.wire) } + changed
        }
        guard let place else {
            writes.append(staged)
            return
        }
        // The first write's precondition is about the state before the commit.
        staged.exists = writes[place].exists
        writes[place] = staged
    }

    private mutating func check(_ write: RuleCaseWrite, exists: Bool) {
        guard failure == nil, let expected = write.exists, expected != exists else { return }
        let path = write.path.description
        if expected {
            let element = RuleCaseStaging.element(write.path)
            failure = (.notFound, "no entity to update: app: \"dev~demo\"\npath <\n\(element)>\n")
        } else {
            failure = (.alreadyExists, "entity already exists: EntityRef{partitionRef=dev~demo, path=/\(path)}")
        }
    }

    private static func element(_ path: ResourcePath) -> String {
        stride(from: 0, to: path.count - 1, by: 2).map { place in
            "  Element {\n    type: \"\(path.segments[place])\"\n    name: \"\(path.segments[place + 1])\"\n  }\n"
        }.joined()
    }
}
