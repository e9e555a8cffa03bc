// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

/// Applies the writes of a commit to documents in memory: what rules judge, and what the commit fails by if they allow it.
struct RuleCaseStaging {
    typealias Failure = (status: RuleCaseAnswer.Status, message: String)

    private let documents: (ResourcePath) -> Fields?
    private var staging: WriteStaging
    /// The first precondition that fails, or the first document that no commit may leave behind.
    private(set) var failure: Failure?

    init(documents: @escaping (ResourcePath) -> Fields?, time: Timestamp) {
        self.documents = documents
        staging = WriteStaging(time: time)
    }

    var writes: [RuleWrite] { staging.writes }

    /// Why a server refuses a request before rules are asked.
    static func invalidity(of writes: [Write]) -> String? {
        if let conflict = VerificationConflicts.first(in: writes) { return conflict }
        do throws(DocumentFormError) { try WriteValidator.validate(writes, database: RuleCase.database) } catch {
            return error.message
        }
        return nil
    }

    mutating func apply(_ write: Write) {
        if failure == nil { failure = refusal(of: write) }
        staging.apply(write.path.resource, write.operation, exists: write.expectedExistence, stored: documents)
        if failure == nil, !write.operation.isVerification { failure = excess(of: write.path) }
    }

    private func fields(of path: ResourcePath) -> Fields? { staging.fields(of: path, stored: documents) }

    /// What the precondition of the next write fails by.
    private func refusal(of write: Write) -> Failure? {
        let path = write.path.resource
        let fields = fields(of: path)
        switch write.precondition {
        case .exists(true)? where fields == nil:
            return (.notFound, "no entity to update: app: \"dev~demo\"\npath <\n\(RuleCaseStaging.element(path))>\n")
        case .exists(false)? where fields != nil:
            return (.alreadyExists, "entity already exists: EntityRef{partitionRef=dev~demo, path=/\(path)}")
        // The documents of a case have no times: they have the required one, unless the commit has changed them.
        case .updateTime(let time)? where fields == nil || fields != documents(path):
            return (
                .failedPrecondition,
                "the stored version does not match the required base version (\(time.microseconds))"
            )
        default: return nil
        }
    }

    /// What a document may not be. Transforms and merges show it only when they are applied.
    private func excess(of path: DocumentPath) -> Failure? {
        guard let fields = fields(of: path.resource) else { return nil }
        do throws(DocumentFormError) { try DocumentLimits.validate(path, fields, database: RuleCase.database) } catch {
            return (.invalidArgument, error.message)
        }
        return nil
    }

    private static func element(_ path: ResourcePath) -> String {
        stride(from: 0, to: path.count - 1, by: 2).map { place in
            "  Element {\n    type: \"\(path.segments[place])\"\n    name: \"\(path.segments[place + 1])\"\n  }\n"
        }.joined()
    }
}
