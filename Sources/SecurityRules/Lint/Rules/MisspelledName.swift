// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import IndexCatalog

extension SecurityLintRule {
    static let misspelledName = SecurityLintRule(
        id: "misspelled-name", severity: .note, title: "a name that nothing has, and the nearest that something has",
        explanation: """
            The compiler accepts names of variables, functions and methods that do not exist, with a warning; at run time \
            they are errors, which deny. This rule says which name is probably meant.
            """,
        wrong: """
            match /notes/{note} {
              allow create: if request.resource.data.keys().hasonly(['text']);
            }
            """,
        right: """
            match /notes/{note} {
              allow create: if request.resource.data.keys().hasOnly(['text']);
            }
            """,
        isFixable: true,
        check: { rules, report in
            let conditions = rules.conditions
            let bound = boundNames(rules.tree)
            conditions.visitAll(rules) { site in
                if let loop = Loop(conditions.kind(site), rules.tree) {
                    return report(conditions.position(site), loop.message, nil)
                }
                guard !bound.contains(site.id), let (name, candidates, isCall) = unknown(site, conditions)
                else { return }
                let hint = hints[name]
                let nearest = hint == nil ? nearestWord(to: name, among: candidates) : nil
                guard let meant = hint ?? nearest.map({ isCall ? "\($0)()" : $0 }) else { return }
                let position = conditions.position(site)
                let isSame = nearest?.lowercased() == name.lowercased()
                report(
                    position, "nothing has the name \"\(name)\": \(meant) is probably meant",
                    isSame ? nearest.map { position.edit(Text(lastPart(name)), lastPart($0)) } : nil)
            }
        })

    /// What a finding's position is that of: in `math.isNaN` the name behind the dot.
    private static func lastPart(_ name: String) -> String {
        name.split(separator: ".").last.map { String($0) } ?? name
    }

    /// A call such as `list.all(x, x is string)`, as in languages that have loops.
    private struct Loop {
        let method: String
        /// The name that stands for each element in turn.
        let name: String
        let arguments: [SyntaxTree.ExpressionID]

        private static let methods: Set<String> = [
            "all", "any", "every", "exists", "exists_one", "filter", "forEach", "map", "some",
        ]

        init?(_ kind: SyntaxTree.Expression.Kind, _ tree: SyntaxTree) {
            guard case .method(_, let method, let arguments) = kind, Loop.methods.contains(method),
                arguments.count == 2, case .variable(let name) = tree[arguments[0]].kind
            else { return nil }
            (self.method, self.name, self.arguments) = (method, name, arguments)
        }

        var message: String {
            "nothing has the name \"\(method)\", because rules have no loops: hasAll(), hasAny() and hasOnly() compare lists"
        }
    }

    /// The variables that stand for elements in what is meant for a loop.
    private static func boundNames(_ tree: SyntaxTree) -> Set<SyntaxTree.ExpressionID> {
        var bound: Set<SyntaxTree.ExpressionID> = []
        for loop in tree.expressions.compactMap({ Loop($0.kind, tree) }) {
            var open = loop.arguments
            while let id = open.popLast() {
                if case .variable(loop.name) = tree[id].kind { bound.insert(id) }
                open += tree[id].kind.children
            }
        }
        return bound
    }

    /// What people write who know other languages.
    private static let hints: [String: String] = [
        "now": "request.time", "timestamp.now": "request.time", "length": "size()", "count": "size()",
        "includes": "x in list", "contains": "x in list, or hasAny()", "containsKey": "'key' in map",
        "hasKey": "'key' in map", "isString": "x is string", "isNumber": "x is number", "isInt": "x is int",
        "isBool": "x is bool", "isList": "x is list", "isMap": "x is map", "startsWith": "matches('prefix.*')",
        "endsWith": "matches('.*suffix')", "toLowerCase": "lower()", "toUpperCase": "upper()", "toString": "string(x)",
        "any": "hasAny()", "all": "hasAll()", "only": "hasOnly()", "undefined": "'key' in map",
    ]

    private static func unknown(
        _ site: Site, _ conditions: ConditionReader
    ) -> (name: String, candidates: [String], isCall: Bool)? {
        let frame = conditions.frame(site)
        let functions = frame.scope.functions.map(\.name)
        switch conditions.kind(site) {
        case .variable(let name):
            guard frame.locals[name] == nil, conditions.capture(name, site) == nil, name != "request",
                name != "resource"
            else { return nil }
            let names = Array(frame.locals.keys.sorted()) + frame.scope.captures.map(\.name)
            return (name, names + ["request", "resource"], false)
        case .call(let name, _):
            guard !functions.contains(name), AccessFunction(rawValue: name) == nil, FreeFunction(rawValue: name) == nil
            else { return nil }
            let builtIns = FreeFunction.allCases.map(\.rawValue).filter { !$0.contains(".") }
            return (name, functions + AccessFunction.allCases.map(\.rawValue) + builtIns, true)
        case .packageCall(let package, let name, _):
            let whole = "\(package).\(name)"
            guard FreeFunction(rawValue: whole) == nil else { return nil }
            return (whole, FreeFunction.allCases.map(\.rawValue).filter { $0.hasPrefix(package + ".") }, true)
        case .method(_, let name, _):
            guard Method(rawValue: name) == nil else { return nil }
            return (name, Method.allCases.map(\.rawValue), true)
        default: return nil
        }
    }
}
