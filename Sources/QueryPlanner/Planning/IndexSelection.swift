// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import IndexCatalog

/// The indexes that meet a requirement.
enum IndexSelection: Sendable {
    /// Name order: the documents themselves (I-6), or an index on `__name__` alone (I-45).
    case documents
    /// One index, or the members of a join in production's order.
    case indexes([Candidate])
}

/// Decides whether indexes meet a requirement, and which. A perfect index is preferred to a join, and few members to
/// many (P-2, P-5, I-33, I-36).
struct IndexSelector {
    let catalog: IndexCatalog
    /// Nil for a kindless query, which only needs name order.
    let collectionGroup: Text?
    let scope: QueryScope
    /// Whether to take indexes that are being built, to find out if the query only has to wait (E-5).
    var includesBuilding = false

    /// Nil if no set of indexes serves.
    func selection(for requirement: IndexRequirement) -> IndexSelection? {
        let asksForDocuments = requirement.all.isEmpty && requirement.isNameOrder && requirement.vector == nil
        if asksForDocuments, requirement.nameDirection == .ascending { return .documents }
        guard let collectionGroup else { return nil }
        let matcher = CandidateMatcher(requirement: requirement, collectionGroup: collectionGroup, scope: scope)
        var candidates: [Candidate] = []
        for composite in catalog.composites(of: collectionGroup, startingWith: matcher.possibleFirstFields)
        where includesBuilding || composite.state == .ready {
            candidates += matcher.candidates(composite.definition)
        }
        if asksForDocuments { return candidates.isEmpty ? nil : .documents }
        candidates += matcher.automaticCandidates(catalog, includesBuilding: includesBuilding)
        if let perfect = perfect(candidates, all: requirement.all) { return .indexes([perfect]) }
        guard requirement.vector == nil, let members = join(candidates, all: requirement.all) else { return nil }
        return .indexes(inProductionOrder(members, requirement: requirement))
    }

    /// A composite that gives the rows in order if it is read backwards. Admission never uses it (I-32).
    func compositeForReading(backwards requirement: IndexRequirement) -> Candidate? {
        guard let collectionGroup else { return nil }
        let matcher = CandidateMatcher(
            requirement: requirement.reversed, collectionGroup: collectionGroup, scope: scope)
        let composites = catalog.composites(of: collectionGroup, startingWith: matcher.possibleFirstFields)
            .filter { $0.state == .ready }
        return perfect(composites.flatMap { matcher.candidates($0.definition) }, all: requirement.all)
    }

    /// The candidate with the longest equality prefix; the first of several.
    private func perfect(_ candidates: [Candidate], all: FieldSet) -> Candidate? {
        var best: Candidate?
        for candidate in candidates where candidate.covered == all {
            if candidate.prefixCount > best?.prefixCount ?? -1 { best = candidate }
        }
        return best
    }

    /// The smallest join that greedy choice finds. Its members give their rows in the same order.
    private func join(_ candidates: [Candidate], all: FieldSet) -> [Candidate]? {
        var best: [Candidate]?
        var tried: [FieldSet] = []
        for candidate in candidates where !tried.contains(candidate.dropped) {
            tried.append(candidate.dropped)
            let alike = candidates.filter { $0.dropped == candidate.dropped }
            guard let members = SetCover.greedy(all, of: alike.map(\.covered)) else { continue }
            if members.count < best?.count ?? .max { best = members.map { alike[$0] } }
        }
        return best
    }

    /// Each bound field, in the order of production's hash table, adds its member (I-40). The fields are
    /// inserted sorted, because the order of the filters is known not to matter.
    private func inProductionOrder(_ members: [Candidate], requirement: IndexRequirement) -> [Candidate] {
        var fields = requirement.equalities.enumerated().map { (path: $1, place: $0) }
        if let membership = requirement.membership { fields.append((membership, requirement.equalities.count)) }
        fields.sort { $0.path < $1.path }
        var rest = members
        var result: [Candidate] = []
        for index in HashOrder.sorted(fields.map { "\($0.path)" }) {
            guard let member = rest.firstIndex(where: { $0.covered.contains(fields[index].place) }) else { continue }
            result.append(rest.remove(at: member))
        }
        return result
    }
}
