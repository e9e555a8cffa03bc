// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

/// What a chain of members begins with, and the members.
struct ValuePath {
    enum Root: Equatable {
        case request
        case resource
        /// The result of `get` or `getAfter`.
        case fetched(Site)
        case capture(Int)
    }

    let root: Root
    let members: [Text]
    /// For each member the expression that names it.
    let sites: [Site]

    /// The field of a document if this is one: of `resource`, or of `request.resource`.
    func field(isNew: Bool) -> [Text]? {
        if root == .resource, !isNew, members.first == "data" { return Array(members.dropFirst()) }
        if root == .request, isNew, members.starts(with: ["resource", "data"]) { return Array(members.dropFirst(2)) }
        return nil
    }

    var isUserID: Bool {
        root == .request && (members == ["auth", "uid"] || members == ["auth", "token", "sub"])
    }

    var isAuth: Bool { root == .request && members.first == "auth" }
}

extension ConditionReader {
    /// The value that an expression reads; nil if it computes one.
    func path(_ site: Site) -> ValuePath? {
        var members: [Text] = []
        var sites: [Site] = []
        var site = resolved(site)
        while true {
            switch kind(site) {
            case .member(let inner, let name):
                members.append(name)
                sites.append(site)
                site = resolved(sibling(inner, of: site))
            case .index(let inner, let index):
                guard case .constant(.string(let name)) = kind(resolved(sibling(index, of: site))) else { return nil }
                members.append(name)
                sites.append(site)
                site = resolved(sibling(inner, of: site))
            case .method(let inner, "get", let arguments) where arguments.count == 2:
                guard case .constant(.string(let name)) = kind(resolved(sibling(arguments[0], of: site))) else {
                    return nil
                }
                members.append(name)
                sites.append(site)
                site = resolved(sibling(inner, of: site))
            default:
                guard let root = root(site) else { return nil }
                return ValuePath(root: root, members: members.reversed(), sites: sites.reversed())
            }
        }
    }

    private func root(_ site: Site) -> ValuePath.Root? {
        switch kind(site) {
        case .variable(let name):
            if let place = capture(name, site) { return .capture(place) }
            return name == "request" ? .request : name == "resource" ? .resource : nil
        case .call(let name, let arguments) where ["get", "getAfter"].contains(name) && arguments.count == 1:
            return .fetched(site)
        default: return nil
        }
    }

    /// Whether what a chain of members begins with is the same for all calls of the function that it stands in: an edit there is one for
    /// all of them.
    func isSameForAllCalls(_ site: Site) -> Bool {
        var site = site
        while frame(site).depth > 0 {
            switch kind(site) {
            case .parenthesized(let inner), .member(let inner, _): site = sibling(inner, of: site)
            case .variable(let name): return frame(site).locals[name] == nil
            case .call(let name, let arguments): return function(name, arguments.count, site) == nil
            default: return false
            }
        }
        return true
    }

    /// The field of the stored or of the new document that an expression reads; `[]` for all of it.
    func field(_ site: Site, isNew: Bool) -> [Text]? { path(site)?.field(isNew: isNew) }

    func isUserID(_ site: Site) -> Bool { path(site)?.isUserID == true }

    /// Whether a call reads a document.
    func isAccess(_ site: Site) -> Bool {
        guard case .call(let name, let arguments) = kind(site), arguments.count == 1,
            function(name, 1, site) == nil
        else { return false }
        return AccessFunction(rawValue: name) != nil
    }

    /// Both operands of an equality, resolved; nil if it is none.
    func equality(_ site: Site) -> (left: Site, right: Site, isNegated: Bool)? {
        guard case .binary(let binary, let left, let right) = kind(site), binary == .equal || binary == .notEqual else {
            return nil
        }
        return (resolved(sibling(left, of: site)), resolved(sibling(right, of: site)), binary == .notEqual)
    }

    func isNull(_ site: Site) -> Bool { if case .constant(.null) = kind(resolved(site)) { true } else { false } }

    /// Whether a condition says that the caller is signed in.
    func isSignedInTest(_ site: Site) -> Bool {
        let site = resolved(site)
        if case .typeTest(let operand, _) = kind(site) { return isUserID(sibling(operand, of: site)) }
        guard let equality = equality(site), equality.isNegated else { return false }
        let operand = isNull(equality.right) ? equality.left : isNull(equality.left) ? equality.right : nil
        guard let operand, let path = path(operand), path.root == .request else { return false }
        return [["auth"], ["auth", "uid"], ["auth", "token"]].contains(path.members)
    }

    /// Whether a condition is the bool, written out.
    func isConstant(_ bool: Bool, _ site: Site) -> Bool {
        if case .constant(.bool(bool)) = kind(resolved(site)) { true } else { false }
    }

    func holdsAlways(_ statement: OutlinedStatement) -> Bool {
        guard let condition = statement.condition else { return true }
        return operands(of: .or, condition).contains { isConstant(true, $0) }
    }

    /// The strings of a list that is written out.
    func strings(_ site: Site) -> [Text]? {
        guard case .list(let elements) = kind(resolved(site)) else { return nil }
        var strings: [Text] = []
        for element in elements {
            guard case .constant(.string(let text)) = kind(resolved(sibling(element, of: site))) else { return nil }
            strings.append(text)
        }
        return strings
    }
}
