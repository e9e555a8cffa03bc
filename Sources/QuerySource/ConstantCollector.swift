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
    /// No name that people write is longer. Each member of an object has the names around it in its own.
    private static let maximumNameLength = 200

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
                    isShared(statement, name, in: outer), let full = ConstantCollector.joined(outer, name)
                else { continue }
                if changes(expression.offset, name, isMember: outer != nil) {
                    add(.computed, named: full)
                } else {
                    add(value, named: full)
                }
            case .type(let name, let members, _):
                guard isShared(statement, name, in: outer) else { continue }
                guard let name else {
                    add(members, in: outer)
                    continue
                }
                if let full = ConstantCollector.joined(outer, name) { add(members, in: full) }
            default: continue
            }
        }
    }

    /// Whether other files see what is declared.
    private mutating func isShared(_ statement: Statement, _ name: String?, in outer: String?) -> Bool {
        guard let offset = statement.offset else { return true }
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
                guard let key = member.label, let full = ConstantCollector.joined(name, key) else { continue }
                add(member.value, named: full)
            }
        case .call(let callee, let arguments) where callee.sourceText == "Object.freeze" && arguments.count == 1:
            add(arguments[0].value, named: name)
        case .text(let text) where text.utf8.count <= ConstantCollector.maximumLength: add(.text(text), named: name)
        default: add(.computed, named: name)
        }
    }

    private mutating func add(_ value: SourceConstants.Value, named name: String) {
        guard name.utf8.count <= ConstantCollector.maximumNameLength, ConstantCollector.isConstant(name) else { return }
        values[name] = values[name]?.merged(with: value) ?? value
    }

    /// A name with the names around it; nil if it is too long.
    private static func joined(_ outer: String?, _ name: String) -> String? {
        guard (outer?.utf8.count ?? 0) + name.utf8.count < maximumNameLength else { return nil }
        return outer.map { "\($0).\(name)" } ?? name
    }

    /// Whether a name is spelled as one of a constant or a type is, `USERS`, `Names.users` or `kUsers`. Others are those of
    /// variables, too, such as the variable of a loop.
    private static func isConstant(_ name: String) -> Bool {
        name.split(separator: ".").contains { part in
            let rest = part.hasPrefix("k") ? part.dropFirst() : part
            return Follower.isTypeName(String(rest))
        }
    }
}
