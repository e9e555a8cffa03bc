// SPDX-License-Identifier: Apache-2.0

/// What only C# has.
extension Reader {
    /// A property that is a variable: `Query Users { get; set; }`, and maybe its value. Nil if this is none.
    mutating func automaticProperty() -> [Statement]? {
        guard language.name == "csharp", isInType, let (name, open) = methodHead(), hasOnlyAccessors(open) else {
            return nil
        }
        let start = current.offset
        position = min(close(of: open) + 1, limit)
        guard accept("=") else { return [.unset(name)] }
        return [declaration(of: name, expression(), at: start)]
    }

    /// Whether the braces that begin here hold accessors without code, as in `{ get; private set; }`.
    private func hasOnlyAccessors(_ open: Int) -> Bool {
        guard tokens[open].isMark("{"), open + 1 < limit else { return false }
        let inside = tokens[(open + 1)..<close(of: open)]
        return !inside.isEmpty
            && inside.allSatisfy { $0.isMark(";") || ($0.kind == .name && Reader.accessorWords.contains($0.text)) }
    }

    private static let accessorWords: Set<String> = ["get", "set", "init", "private", "protected", "internal"]

    /// `value switch { … }`, at whose word the position is: one of the values of its cases.
    mutating func valueOfCases(of value: Expression) -> Expression {
        let choice = valueOfBranches(current.offset)
        let body = [Statement.expression(value), .exit(choice, isReturn: true)]
        let function = Function(name: nil, parameters: [], body: body, offset: value.offset, isLocal: true)
        let literal = Expression(offset: value.offset, kind: .function(function))
        return Expression(offset: value.offset, kind: .call(literal, []))
    }

    /// `nameof(City.Name)`, which is the last name as a text.
    mutating func nameOf() -> Expression {
        let start = current.offset
        advance()
        let end = close(of: position)
        let name = tokens[position..<end].last { $0.kind == .name }
        position = min(end + 1, limit)
        return Expression(offset: start, kind: .text(name?.text ?? ""))
    }
}
