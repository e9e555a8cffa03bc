// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

/// A field as a query names it.
struct FieldReference: Hashable, Sendable {
    let path: FieldPath
    /// As in query text.
    let text: String

    static let documentName = FieldReference(path: .documentName)

    init(path: FieldPath) {
        self.path = path
        text = path.isDocumentName ? "documentId()" : JSONText.quoted(path.wire)
    }

    /// Nil if it is not a valid path.
    init?(dotted text: String) {
        guard text != "__name__" else {
            self = .documentName
            return
        }
        let isQuoted = text.utf8.contains(UInt8(ascii: "`"))
        guard let path = isQuoted ? try? FieldPath(wireSyntax: text) : try? FieldPath(dotted: text) else { return nil }
        self.init(path: path)
    }

    init?(segments: [String]) {
        let quoted = segments.map { "`\($0.replacing("\\", with: "\\\\").replacing("`", with: "\\`"))`" }
        guard !segments.isEmpty, let path = try? FieldPath(wireSyntax: quoted.joined(separator: ".")) else {
            return nil
        }
        self.init(path: path)
    }

    /// Nil also if one of the segments is not known.
    init?(segments: [Known]) {
        let texts = segments.compactMap { if case .text(let pieces) = $0 { pieces.constant } else { nil } }
        guard texts.count == segments.count else { return nil }
        self.init(segments: texts)
    }
}

/// JSON literals, as query text has them.
enum JSONText {
    static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case "\u{0}"..<" ": result += " "
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
