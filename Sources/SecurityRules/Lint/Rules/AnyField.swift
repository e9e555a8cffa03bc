// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import IndexCatalog

extension SecurityLintRule {
    static let anyField = SecurityLintRule(
        id: "any-field", severity: .note, title: "a write may have any fields",
        explanation: """
            Nothing in the condition limits the fields of the new document: whoever may write may add fields of any name \
            and size, also such as other rules trust in ("role", "verified"). List the fields: keys().hasOnly([…]) in \
            create, diff(resource.data).affectedKeys().hasOnly([…]) in update. Statements that ask for a role (a claim of \
            the token, another document, a user by name) are not reported, and of each path the first only.
            """,
        wrong: """
            match /users/{uid} {
              allow create: if request.auth.uid == uid;
            }
            """,
        right: """
            match /users/{uid} {
              allow create: if request.auth.uid == uid
                && request.resource.data.keys().hasOnly(['name'])
                && request.resource.data.name is string;
            }
            """,
        check: { rules, report in
            let conditions = rules.conditions
            let writes: MethodSet = [MethodSet(.create), MethodSet(.update)]
            var reported: Set<String> = []
            for statement in rules.statements(allowing: writes) where !conditions.holdsAlways(statement) {
                guard let condition = statement.condition, !conditions.isConstant(false, condition) else { continue }
                let mayWrite = [RequestMethod.create, .update].contains { method in
                    statement.methods.contains(MethodSet(method))
                        && conditions.reached(statement, method).truths.mayBeTrue
                }
                guard mayWrite, !conditions.contains(condition, { conditions.limitsFields($0) }) else { continue }
                guard !conditions.asksForRole(condition), reported.insert(statement.pattern.text).inserted else {
                    continue
                }
                let methods = statement.methods.intersection(writes)
                report(
                    statement.position,
                    "\(methods.words) may have any fields: add request.resource.data.keys().hasOnly([…])"
                        + (methods.contains(MethodSet(.update))
                            ? ", in an update on the affectedKeys() of diff()" : ""),
                    nil)
            }
        })
}

extension ConditionReader {
    /// Whether every way to fulfil a condition asks for more than the user's ID: a claim, or another document.
    func asksForRole(_ condition: Site) -> Bool {
        guard let alternatives = alternatives(condition) else { return false }
        return alternatives.allSatisfy { terms in
            terms.contains { term in
                if namesUser(term) { return true }
                return contains(term) { site in
                    if self.isAccess(site) { return true }
                    guard let path = path(site), path.isAuth, path.members.count > 2 else { return false }
                    return path.members[1] == "token"
                        && !["sub", "email_verified", "firebase"].contains(path.members[2])
                }
            }
        }
    }

    /// Whether a condition compares the user's ID with one that is written out.
    private func namesUser(_ term: Site) -> Bool {
        guard case .binary(let binary, let left, let right) = kind(term), binary == .equal || binary == .in else {
            return false
        }
        let (first, second) = (resolved(sibling(left, of: term)), resolved(sibling(right, of: term)))
        for (side, other) in [(first, second), (second, first)] where isUserID(side) {
            if case .constant(.string) = kind(other) { return true }
            if strings(other) != nil { return true }
        }
        return false
    }

    /// Whether an expression says which fields a new document may have.
    func limitsFields(_ site: Site) -> Bool {
        switch kind(site) {
        case .method(_, "hasOnly", _): return true
        case .method(_, "diff", _), .method(_, "removeAll", _), .method(_, "difference", _): return true
        case .method(let receiver, "size", _): return readsNewKeys(sibling(receiver, of: site))
        case .binary(let binary, let left, let right) where binary == .equal:
            return [left, right].contains { field(sibling($0, of: site), isNew: true)?.isEmpty == true }
        default: return false
        }
    }

    private func readsNewKeys(_ site: Site) -> Bool {
        if field(site, isNew: true)?.isEmpty == true { return true }
        let site = resolved(site)
        guard case .method(let receiver, let name, _) = kind(site), name == "keys" || name == "toSet" else {
            return false
        }
        return readsNewKeys(sibling(receiver, of: site))
    }
}
