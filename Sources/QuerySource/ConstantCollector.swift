// SPDX-License-Identifier: Apache-2.0

/// Collects the constants of a file that others see: those outside of functions, by themselves, in types and in objects.
struct ConstantCollector {
    private(set) var values: [String: SourceConstants.Value] = [:]
    private let marks: DeclarationMarks
    private let module: ModuleNames
    private let assigned: AssignedNames
    /// Whether fields that may change are declared without a word for it.
    private let hasBareFields: Bool
    /// What no other file sees, outside of types.
    private var hidden: Set<String> = []

    /// No path of a collection is longer.
    private static let maximumLength = 1_500

    /// - Parameter reader: the one that has read the statements.
    init(_ statements: [Statement], _ reader: Reader) {
        marks = reader.declarations
        module = ModuleNames(reader.tokens, reader.language)
        assigned = AssignedNames(reader.tokens, reader.language)
        hasBareFields = ["javascript", "java", "csharp", "php"].contains(reader.language.name)
        add(statements)
        // The object may be another file's.
        for name in assigned.members where !hidden.contains(String(name.prefix { $0 != "." })) {
            add(.computed, named: name)
        }
    }

    private mutating func add(_ statements: [Statement], in outer: String? = nil) {
        for statement in statements {
            switch statement {
            case .expression(let expression):
                guard case .assignment(.variable(let name, _), let value) = expression.kind,
                    isShared(statement, name, in: outer)
                else { continue }
                let full = ConstantCollector.joined(outer, name)
                if changes(expression.offset, name, isMember: outer != nil) {
                    add(.computed, named: full)
                } else {
                    add(value, named: full)
                }
            case .type(let name, let members, _):
                guard isShared(statement, name, in: outer) else { continue }
                add(members, in: name.map { ConstantCollector.joined(outer, $0) } ?? outer)
            default: continue
            }
        }
    }

    /// Whether other files see what is declared.
    private mutating func isShared(_ statement: Statement, _ name: String?, in outer: String?) -> Bool {
        guard let offset = statement.declaration else { return true }
        let isKept = outer == nil && module.isModule && !isExported(offset, name)
        guard isKept || marks.hidden.contains(offset) else { return true }
        if let name, outer == nil { hidden.insert(name) }
        return false
    }

    private func isExported(_ offset: Int, _ name: String?) -> Bool {
        if marks.exported.contains(offset) { return true }
        guard let name else { return false }
        return module.exported.contains(name)
    }

    /// Whether the file may give a variable or a field another value than the one it is declared with.
    private func changes(_ offset: Int, _ name: String, isMember: Bool) -> Bool {
        let isVariable = marks.variables.contains(offset)
        if isVariable, assigned.variables.contains(name) { return true }
        return isMember && (isVariable || hasBareFields) && assigned.own.contains(name)
    }

    private mutating func add(_ value: Expression, named name: String) {
        switch value.kind {
        case .fields(let members):
            for member in members {
                if let key = member.label { add(member.value, named: ConstantCollector.joined(name, key)) }
            }
        case .call(let callee, let arguments) where callee.sourceText == "Object.freeze" && arguments.count == 1:
            add(arguments[0].value, named: name)
        case .text(let text) where text.utf8.count <= ConstantCollector.maximumLength: add(.text(text), named: name)
        default: add(.computed, named: name)
        }
    }

    private mutating func add(_ value: SourceConstants.Value, named name: String) {
        guard ConstantCollector.isConstant(name) else { return }
        values[name] = values[name]?.merged(with: value) ?? value
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
