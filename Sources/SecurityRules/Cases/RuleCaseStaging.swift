// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

/// Applies the writes of a commit to documents in memory: what rules judge, and what preconditions say.
struct RuleCaseStaging {
    private let documents: (ResourcePath) -> Fields?
    private var staging: WriteStaging
    private var conflicts = VerificationConflicts()
    /// Why the request is refused before the rules are asked.
    private(set) var invalidity: String?
    /// The first precondition that fails.
    private(set) var failure: (RuleCaseAnswer.Status, String)?

    init(documents: @escaping (ResourcePath) -> Fields?, time: Timestamp) {
        self.documents = documents
        staging = WriteStaging(time: time)
    }

    var writes: [RuleWrite] { staging.writes }

    mutating func apply(_ write: RuleCaseWrite) {
        if let reserved = write.path.segments.first(where: { FieldPath.isReserved($0) }) {
            invalidity = "Resource id \"\(reserved)\" is invalid because it is reserved."
        }
        let stored = documents
        let isVerification = write.operation.isVerification
        if let conflict = conflicts.add(write.path, isVerification: isVerification) { invalidity = conflict }
        if !isVerification { check(write, exists: staging.exists(write.path, stored: stored)) }
        staging.apply(write.path, write.operation, exists: write.exists, stored: stored)
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
