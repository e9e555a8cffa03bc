// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

/// How one way of fulfilling an update's condition says who owns the document.
struct OwnershipReader {
    /// Fields of the stored document that are compared with the user's ID.
    var storedOwners: [(field: String, site: Site)] = []
    /// Fields of the new document that are.
    var newOwners: [(field: String, site: Site)] = []
    /// Whether the condition looks at the stored document.
    var readsStored = false
    /// Whether it looks at anything else of the user: claims, other documents, the path.
    var hasOtherAuthority = false
    private var newFields: Set<String> = []
    private var comparesWholes = false

    /// Whether the condition says something of what becomes of a field.
    func isHeld(_ field: String) -> Bool { comparesWholes || newFields.contains(field) }

    static func read(_ statement: OutlinedStatement, _ conditions: ConditionReader) -> [OwnershipReader] {
        guard let condition = statement.condition else { return [] }
        return (conditions.alternatives(condition) ?? []).filter { mayUpdate($0, conditions) }.map { terms in
            var reader = OwnershipReader()
            for term in terms { reader.read(term, conditions) }
            return reader
        }
    }

    /// Not where it asks for another method, or for a document that is new.
    private static func mayUpdate(_ terms: [Site], _ conditions: ConditionReader) -> Bool {
        !terms.contains { term in
            guard let (left, right, isNegated) = conditions.equality(term) else { return false }
            for (side, other) in [(left, right), (right, left)] {
                guard let path = conditions.path(side), case .constant(let value) = conditions.kind(other) else {
                    continue
                }
                if path.root == .request, path.members == ["method"] {
                    return value.equals(.string("update")) == isNegated
                }
                if path.root == .resource, path.members.isEmpty, case .null = value { return !isNegated }
                if path.root == .request, path.members == ["resource"], case .null = value { return !isNegated }
            }
            return false
        }
    }

    private mutating func read(_ term: Site, _ conditions: ConditionReader) {
        if conditions.isSignedInTest(term) { return }
        if let (left, right, isNegated) = conditions.equality(term), !isNegated,
            readOwner(left, right, term, conditions) || readOwner(right, left, term, conditions)
        {
            return
        }
        conditions.visit(term) { site in self.note(site, conditions) }
    }

    /// Whether one side is the user's ID and the other a field.
    private mutating func readOwner(
        _ user: Site, _ owner: Site, _ term: Site, _ conditions: ConditionReader
    ) -> Bool {
        guard conditions.isUserID(user) else { return false }
        if let field = conditions.field(owner, isNew: false), let name = field.first {
            storedOwners.append((name.string, term))
            readsStored = true
            return true
        }
        if let field = conditions.field(owner, isNew: true), let name = field.first {
            newOwners.append((name.string, term))
            newFields.insert(name.string)
            return true
        }
        return false
    }

    private mutating func note(_ site: Site, _ conditions: ConditionReader) {
        if conditions.isAccess(site) { hasOtherAuthority = true }
        if case .method(_, let name, _) = conditions.kind(site), name == "diff" || name == "hasOnly" {
            comparesWholes = true
        }
        guard let path = conditions.path(site) else { return }
        switch path.root {
        case .resource: readsStored = true
        case .fetched, .capture: hasOtherAuthority = true
        case .request:
            if path.isAuth, path.members.count > 1 { hasOtherAuthority = true }
            if let field = path.field(isNew: true) {
                if let name = field.first { newFields.insert(name.string) }
            }
        }
        if let equality = conditions.equality(site) {
            for side in [equality.left, equality.right] where conditions.field(side, isNew: true)?.isEmpty == true {
                comparesWholes = true
            }
        }
    }
}
