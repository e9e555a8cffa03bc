// SPDX-License-Identifier: Apache-2.0

/// Texts to which the files of a program give names. Other files in the same language may use them.
package struct SourceConstants: Sendable {
    enum Value: Sendable, Equatable {
        case text(String)
        /// Different texts.
        case several
        /// Something else, at least in one file.
        case computed

        func merged(with other: Value) -> Value {
            if self == other { return self }
            return self == .computed || other == .computed ? .computed : .several
        }
    }

    /// By language and by name, such as `COLLECTIONS.users`.
    private var values: [String: [String: Value]] = [:]

    package init() {}

    init(_ collector: ConstantCollector, _ language: Language) {
        values[language.name] = collector.values
    }

    func values(in language: Language) -> [String: Value] { values[language.name] ?? [:] }

    /// Adds those of another file.
    package mutating func merge(_ other: SourceConstants) {
        for (language, found) in other.values {
            values[language, default: [:]].merge(found) { $0.merged(with: $1) }
        }
    }
}

/// Collects the constants of a file: those outside of functions, by themselves, in types and in objects.
struct ConstantCollector {
    private(set) var values: [String: SourceConstants.Value] = [:]

    /// No path of a collection is longer.
    private static let maximumLength = 1_500

    mutating func add(_ statements: [Statement], in outer: String? = nil) {
        for statement in statements {
            switch statement {
            case .expression(let expression):
                guard case .assignment(.variable(let name, _), let value) = expression.kind else { continue }
                add(value, named: ConstantCollector.joined(outer, name))
            case .type(let name, let members, _):
                add(members, in: name.map { ConstantCollector.joined(outer, $0) } ?? outer)
            default: continue
            }
        }
    }

    private mutating func add(_ value: Expression, named name: String) {
        switch value.kind {
        case .fields(let members):
            for member in members {
                if let key = member.label { add(member.value, named: ConstantCollector.joined(name, key)) }
            }
        case .call(let callee, let arguments) where callee.sourceText == "Object.freeze" && arguments.count == 1:
            add(arguments[0].value, named: name)
        default:
            guard ConstantCollector.isConstant(name) else { return }
            var new = SourceConstants.Value.computed
            if case .text(let text) = value.kind, text.utf8.count <= ConstantCollector.maximumLength {
                new = .text(text)
            }
            values[name] = values[name]?.merged(with: new) ?? new
        }
    }

    private static func joined(_ outer: String?, _ name: String) -> String { outer.map { "\($0).\(name)" } ?? name }

    /// Whether a name is spelled as one of a constant or a type is, `USERS`, `Names.users` or `kUsers`. Others are those of
    /// variables, too, such as the variable of a loop.
    private static func isConstant(_ name: String) -> Bool {
        name.split(separator: ".").contains { part in
            let rest = part.hasPrefix("k") ? part.dropFirst() : part
            return Follower.isTypeName(String(rest))
        }
    }
}
