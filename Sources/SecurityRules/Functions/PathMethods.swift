// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

enum PathMethods {
    static func call(
        _ method: Method, _ path: RulePath, _ arguments: [RuleValue]
    ) throws(EvaluationError) -> RuleValue? {
        guard method == .bind, arguments.count == 1, case .map(let bindings) = arguments[0] else { return nil }
        return .path(try bind(path, bindings))
    }

    /// Variables get values; those without one disappear. Names that the path does not have are an error.
    private static func bind(_ path: RulePath, _ bindings: RuleMap) throws(EvaluationError) -> RulePath {
        var known: Set<Text> = []
        for entry in bindings.entries where path.bound.contains(where: { $0.key == entry.key }) {
            throw .other("Variable \(entry.key) is already bound.")
        }
        var segments: [RulePath.Segment] = []
        for segment in path.segments {
            switch segment {
            case .text: segments.append(segment)
            case .capture(let name), .glob(let name):
                known.insert(name)
                guard let value = bindings[name] else { continue }
                segments += try Paths.segments(of: value, binding: name)
            }
        }
        let unknown = bindings.entries.map(\.key).filter { !known.contains($0) }
        guard unknown.isEmpty else {
            let names = unknown.map(\.string).joined(separator: ", ")
            throw .other("Variable(s) \(names) do not exist in the path template.")
        }
        return RulePath(segments, bound: path.bound + bindings.entries)
    }
}

/// Paths from and to text.
enum Paths {
    /// What `$(value)` puts into a path: a path is spliced, all else is one segment.
    static func segments(of value: RuleValue, binding name: Text? = nil) throws(EvaluationError) -> [RulePath.Segment] {
        switch value {
        case .path(let path): return path.segments
        case .string(let text):
            if let name, text.utf8Count == 0 {
                throw .other("Cannot bind empty value to path template variable \(name).")
            }
            return [.text(text)]
        case .null, .bool, .int, .float:
            guard case .string(let text)? = Conversions.string(value) else { return [] }
            return [.text(text)]
        default: throw BuiltIns.mismatch("string", [value], Signatures.of(.string))
        }
    }

    /// `path(text)`: segments between slashes, percent-decoded; `{x}` and `{x=**}` are variables.
    static func parse(_ text: Text) throws(EvaluationError) -> RulePath {
        let source = text.string
        guard !source.isEmpty else { throw .other("Empty Path Template is not allowed.") }
        let body = source.utf8.first == 0x2F ? String(source.dropFirst()) : source
        var segments: [RulePath.Segment] = []
        for piece in body.split(separator: "/", omittingEmptySubsequences: false) {
            guard !piece.isEmpty else {
                throw .other("Invalid Path Template \(source). Empty segment is not allowed.")
            }
            segments.append(try segment(String(piece), source))
        }
        return RulePath(segments)
    }

    private static func segment(_ piece: String, _ source: String) throws(EvaluationError) -> RulePath.Segment {
        guard piece.hasPrefix("{") else {
            guard let text = PathText.decode(piece) else {
                throw .other(
                    "Unable to decode \(piece) to url. "
                        + "Error: URLDecoder: Incomplete trailing escape (%) pattern")
            }
            return .text(text)
        }
        guard piece.hasSuffix("}") else {
            throw .other("Invalid Path Template \(source). The capture segment is not closed.")
        }
        let inner = String(piece.dropFirst().dropLast())
        let isGlob = inner.hasSuffix("=**")
        let name = String(
            inner.hasSuffix("=**") ? inner.dropLast(3) : inner.hasSuffix("=*") ? inner.dropLast(2) : inner[...])
        let bytes = name.utf8
        guard let first = bytes.first, Lexer.startsWord(first), bytes.allSatisfy(Lexer.continuesWord)
        else {
            throw .other(
                "Invalid Path Template \(source). [Identifier [\(name)] should start with letter, dollar sign, or "
                    + "underscore and should not start with digit and must not contain spaces.")
        }
        return isGlob ? .glob(Text(name)) : .capture(Text(name))
    }

    /// `/a/b`; an empty path is `/`, a variable without a value an empty segment.
    static func text(_ path: RulePath) -> Text {
        let pieces = path.segments.map { segment in
            switch segment {
            case .text(let text): text.string
            case .capture, .glob: ""
            }
        }
        return Text("/" + pieces.joined(separator: "/"))
    }
}
