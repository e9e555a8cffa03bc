// SPDX-License-Identifier: Apache-2.0

/// Collects the constants of a file that others see: those outside of functions, by themselves, in types and in objects.
struct ConstantCollector {
    /// All that others may use by the file's module.
    private(set) var values: [String: SourceConstants.Value] = [:]
    private let marks: DeclarationMarks
    private let module: ModuleNames
    private let assigned: AssignedNames
    private let imported: ImportedOwners
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
        imported = ImportedOwners(reader.tokens, reader.language)
        hasBareFields = ["javascript", "java", "csharp", "php"].contains(reader.language.name)
        add(statements)
        guard module.isModule else { return }
        let exported = assigned.members.renamed(ImportedOwners.exported)
        for name in values.keys where exported.contains(name) { values[name] = .computed }
    }

    /// Those with names that tell what they are in any file.
    var constants: [String: SourceConstants.Value] { values.filter { ConstantCollector.isConstant($0.key) } }

    /// Members to which the file assigns. The object may be another file's.
    var assignedMembers: AssignedMembers {
        var result = assigned.members.without(hidden)
        result.formUnion(assigned.members.renamed(imported.names))
        return result
    }

    private mutating func add(_ statements: [Statement], in outer: String? = nil) {
        for statement in statements {
            switch statement {
            case .expression(let expression):
                if case .assignment(.member("exports"), let value) = expression.kind, outer == nil {
                    addExported(value)
                }
                guard case .assignment(.variable(let name, _), let value) = expression.kind,
                    isShared(statement, name, in: outer), let full = ConstantCollector.joined(outer, name)
                else { continue }
                if changes(expression.offset, name, isMember: outer != nil) {
                    add(.computed, named: full)
                } else {
                    add(value, named: full)
                }
            case .ways(let ways, _, _): for way in ways { add(way, in: outer) }
            case .type(let name, let members, _):
                guard isShared(statement, name, in: outer) else { continue }
                guard let name else {
                    add(members, in: outer)
                    continue
                }
                if let full = ConstantCollector.joined(outer, name) { add(members, in: full) }
            default: addChanges(in: statement, outer)
            }
        }
    }

    /// What only some ways through the file give a value is no constant.
    private mutating func addChanges(in statement: Statement, _ outer: String?) {
        switch statement {
        case .expression(let expression):
            guard case .assignment(.variable(let name, false), _) = expression.kind,
                isShared(statement, name, in: outer), let full = ConstantCollector.joined(outer, name)
            else { return }
            add(.computed, named: full)
        case .branch(let ways, _, _), .ways(let ways, _, _):
            for way in ways.joined() { addChanges(in: way, outer) }
        case .block(let inner), .loop(let inner): for one in inner { addChanges(in: one, outer) }
        case .attempt(let body, let handlers, let last):
            for one in [body, last].joined() { addChanges(in: one, outer) }
            for one in handlers.joined() { addChanges(in: one, outer) }
        default: return
        }
    }

    /// The members of the value of `module.exports`.
    private mutating func addExported(_ value: Expression) {
        switch value.kind {
        case .fields(let members):
            for member in members { if let name = member.label { add(member.value, named: name) } }
        case .call(let callee, let arguments) where callee.sourceText == "Object.freeze" && arguments.count == 1:
            addExported(arguments[0].value)
        default: return
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
        if !isMember, assigned.outer.contains(name) { return true }
        return isMember && (isVariable || hasBareFields) && assigned.own.contains(name)
    }

    private mutating func add(_ value: Expression, named name: String) {
        switch value.kind {
        case .fields(let members):
            // Another object's members may stand for those before it.
            let last = members.lastIndex { $0.isSpread && $0.label == nil } ?? -1
            for (index, member) in members.enumerated() {
                guard let key = member.label, !key.contains("."), let full = ConstantCollector.joined(name, key) else {
                    continue
                }
                if index < last { add(.computed, named: full) } else { add(member.value, named: full) }
            }
        case .call(let callee, let arguments) where callee.sourceText == "Object.freeze" && arguments.count == 1:
            add(arguments[0].value, named: name)
        case .choice(let options, _): for option in options { add(option, named: name) }
        case .text(let text) where text.utf8.count <= ConstantCollector.maximumLength: add(.text(text), named: name)
        default: add(.computed, named: name)
        }
    }

    private mutating func add(_ value: SourceConstants.Value, named name: String) {
        guard name.utf8.count <= ConstantCollector.maximumNameLength else { return }
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
