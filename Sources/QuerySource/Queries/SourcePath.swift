// SPDX-License-Identifier: Apache-2.0

/// Paths of collections, as calls build them.
enum SourcePath {
    /// What `collection(…)`, `collectionGroup(…)` or `doc(…)` gives.
    static func source(_ call: Call, _ given: GivenArguments) -> Known {
        var segments = given.all.filter {
            $0.label == nil || ["path", "collectionPath", "collection_id", "collectionId"].contains($0.label ?? "")
        }.map(\.value)
        var base: String?
        var isRooted = true
        // The modular library's first argument is the database, a document or a collection.
        if segments.count > 1 || !segments.isEmpty {
            switch segments[0] {
            case .document(let path):
                (base, isRooted) = (path, path != nil)
                segments.removeFirst()
            case .query(let shape):
                if case .collection(_, let path) = shape.source, shape.isRooted, !shape.isTentative {
                    base = path
                } else {
                    isRooted = false
                }
                segments.removeFirst()
            case .text: break
            case .unknown(let unknown):
                guard segments.count > 1 else { break }
                isRooted = !isDocument(named: unknown.name)
                segments.removeFirst()
            default: if segments.count > 1 { segments.removeFirst() }
            }
        }
        switch call {
        case .collectionGroup:
            guard case .text(let pieces)? = segments.first, let id = pieces.constant, !id.isEmpty else {
                return unknown(segments.first)
            }
            return .query(QueryShape(.group(ID: id)))
        case .document:
            let path = ([base] + segments.map(text)).compactMap { $0 }.joined(separator: "/")
            return .document(
                isRooted && (base != nil || segments.first?.isText == true)
                    ? path + (path.count("/") % 2 == 0 ? "/?" : "") : nil)
        default:
            guard !segments.isEmpty else { return base.map { collection([$0]) } ?? unknown(nil) }
            return joined(isRooted ? base : "?/?", segments, isKnown: isRooted)
        }
    }

    /// Whether a value that is not known is a document rather than the database, by its name, such as `doc.ref`.
    static func isDocument(named name: String?) -> Bool {
        guard let last = name?.split(separator: ".").last?.lowercased() else { return false }
        let isDatabase = ["db", "database", "store", "firestore", "root"].contains { last.hasPrefix($0) }
        let endings = ["ref", "reference", "doc", "document", "snap", "snapshot"]
        return !isDatabase && endings.contains { last.hasSuffix($0) }
    }

    /// A collection under a document; nil: a document that is not known.
    static func joined(_ base: String?, _ segments: [Known]) -> Known {
        joined(base ?? "?/?", segments, isKnown: base != nil)
    }

    private static func joined(_ base: String?, _ segments: [Known], isKnown: Bool) -> Known {
        guard let last = segments.last else { return unknown(nil) }
        guard case .text(let pieces) = last else { return unknown(last) }
        var path: [String?] = []
        if isKnown, let base { path += [base, "/"] }
        for segment in segments.dropLast() { path += [text(segment), "/"] }
        guard case .query(var shape) = collection(path + pieces) else { return unknown(last) }
        shape.isRooted = isKnown
        return .query(shape)
    }

    /// A collection by its path, whose last segment must be known.
    static func collection(_ pieces: [String?]) -> Known {
        let pieces = trimmed(pieces)
        let path = pieces.pattern
        let lastSlash = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
        let id = String(path[lastSlash...])
        var tail = ""
        for piece in pieces.reversed() {
            guard let piece else {
                if !tail.utf8.contains(UInt8(ascii: "/")) { return unknown(.text(pieces)) }
                break
            }
            tail = piece + tail
            if piece.utf8.contains(UInt8(ascii: "/")) { break }
        }
        guard !id.isEmpty else { return unknown(.text(pieces)) }
        return .query(QueryShape(.collection(ID: id, path: path)))
    }

    /// Without the slashes around a path, which the libraries ignore.
    private static func trimmed(_ pieces: [String?]) -> [String?] {
        var pieces = pieces
        if let last = pieces.last, let last {
            pieces[pieces.count - 1] = String(last.reversed().drop { $0 == "/" }.reversed())
        }
        if let first = pieces.first, let first { pieces[0] = String(first.drop { $0 == "/" }) }
        while let last = pieces.last, last == "" { pieces.removeLast() }
        return pieces
    }

    /// A document of a collection: `doc('id')`, or a new one without arguments.
    static func document(of shape: QueryShape, _ given: GivenArguments) -> Known {
        guard case .collection(_, let path) = shape.source, shape.isRooted else { return .document(nil) }
        let segments = given.all.prefix { $0.label == nil || $0.label?.hasPrefix("document") == true }
        let id = segments.flatMap { text($0.value).split(separator: "/") }.joined(separator: "/")
        let document = id.isEmpty ? "\(path)/?" : "\(path)/\(id)"
        return .document(document.count("/") % 2 == 0 ? document + "/?" : document)
    }

    private static func unknown(_ value: Known?) -> Known {
        switch value {
        case .unknown(let unknown)?: return .query(QueryShape(.unknown(unknown)))
        case .text(let pieces)?:
            let what = pieces.contains { $0 != nil } ? "a computed name, '\(pieces.pattern)'" : "computed"
            return .query(QueryShape(.unknown(Unknown(what: what))))
        default: return .query(QueryShape(.unknown(Unknown(what: "a computed value"))))
        }
    }

    private static func text(_ value: Known) -> String {
        if case .text(let pieces) = value { pieces.pattern } else { "?" }
    }
}

extension Known {
    fileprivate var isText: Bool { if case .text = self { true } else { false } }
}

extension String {
    fileprivate func count(_ character: Character) -> Int { count { $0 == character } }
}
