// SPDX-License-Identifier: Apache-2.0

/// A piece of a query's text.
struct QueryTextToken: Equatable {
    enum Kind: Equatable {
        case identifier(String)
        case string(String)
        /// As written, with its sign.
        case number(String)
        case mark(UInt8)
        case end
    }

    let kind: Kind
    let offset: Int

    /// For messages.
    var description: String {
        switch kind {
        case .identifier(let name): "'\(name)'"
        case .string(let text): "the text \"\(text)\""
        case .number(let text): "the number \(text)"
        case .mark(let byte): "'\(Character(Unicode.Scalar(byte)))'"
        case .end: "the end"
        }
    }
}
