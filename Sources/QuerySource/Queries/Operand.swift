// SPDX-License-Identifier: Apache-2.0

/// A value in a query, as far as the source says it.
indirect enum Operand: Sendable {
    case text(String)
    case number(String)
    case flag(Bool)
    case null
    /// A value that only the running program knows, with its name in the source.
    case placeholder(String?)
    /// A list whose length is known.
    case list([Operand])
    /// A list of unknown length, with its name in the source.
    case openList(String?)

    var integer: Int? { if case .number(let text) = self { Int(text) } else { nil } }

    var text: String { text(filling: { _ in "?" }) }

    /// - Parameter value: the text for a value by its name; `?` if it has none.
    func text(filling value: (String?) -> String) -> String {
        switch self {
        case .text(let text): JSONText.quoted(text)
        case .number(let text): text
        case .flag(let flag): flag ? "true" : "false"
        case .null: "null"
        case .placeholder(let name), .openList(let name): value(name)
        case .list(let elements): "[\(elements.map { $0.text(filling: value) }.joined(separator: ","))]"
        }
    }

    /// What distinguishes the shape of a query: the length of a list, not its values.
    var key: String {
        switch self {
        case .list(let elements): "[\(elements.count)]"
        default: "?"
        }
    }

    init(_ value: Known) {
        switch value {
        case .text(let pieces): self = pieces.constant.map { .text($0) } ?? .placeholder(nil)
        case .number(let text) where Double(text) != nil: self = .number(text)
        case .flag(let flag): self = .flag(flag)
        case .null: self = .null
        case .list(let elements, let isOpen): self = isOpen ? .openList(nil) : .list(elements.map { Operand($0) })
        case .unknown(let unknown): self = .placeholder(unknown.name)
        default: self = .placeholder(nil)
        }
    }
}
