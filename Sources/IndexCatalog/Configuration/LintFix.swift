// SPDX-License-Identifier: Apache-2.0

internal import JSONText

/// A change of the source that mends a breach and leaves everything else, comments too, as it is.
enum LintEdit {
    /// Removes the element of an array that begins here, with its comma.
    case removeElement(at: Int)
    /// Puts another string in place of the one that begins here.
    case replaceString(at: Int, by: String)
    case removeByte(at: Int)

    var offset: Int {
        switch self {
        case .removeElement(let offset), .replaceString(let offset, _), .removeByte(let offset): offset
        }
    }
}

extension ConfigurationReader {
    /// The source with those breaches mended that can be without a choice: commas that nothing follows, enumeration values
    /// in wrong case, entries that repeat another, composites that an automatic index already gives. What production would
    /// have is the same, or what it would refuse is gone.
    ///
    /// - Returns: nil if there is nothing to mend, or if mending would lose an index that deploys.
    package static func mended(_ source: [UInt8], except ids: Set<String> = []) -> (source: [UInt8], count: Int)? {
        var result = source
        var count = 0
        // Mending one breach can bring another to light: an entry in wrong case turns out to be a duplicate.
        for _ in 0..<8 {
            let edits = edits(of: result, except: ids)
            guard !edits.isEmpty else { break }
            var next = result
            for edit in edits.reversed() { SourceEditor.apply(edit, to: &next) }
            // A comment between two entries that ends in a comma looks like their comma.
            var commas: [Int] = []
            guard (try? JSONParser.parse(next, notingTrailingCommas: &commas)) != nil else { break }
            result = next
            count += edits.count
        }
        return count == 0 || losesIndexes(source, result) ? nil : (result, count)
    }

    /// Whether an index that the source declares, and that no automatic one stands for, is gone from the mended text.
    private static func losesIndexes(_ source: [UInt8], _ mended: [UInt8]) -> Bool {
        let kept = Set(read(mended).configuration.indexes)
        return read(source).configuration.indexes.contains { $0.equivalentAutomatic == nil && !kept.contains($0) }
    }

    /// In the order of the source, none inside another.
    private static func edits(of source: [UInt8], except ids: Set<String>) -> [LintEdit] {
        var commas: [Int] = []
        guard let root = try? JSONParser.parse(source, notingTrailingCommas: &commas) else { return [] }
        if !commas.isEmpty { return ids.contains("trailing-comma") ? [] : commas.sorted().map { .removeByte(at: $0) } }
        let tree = ConfigurationTree(root, lines: LineMap(source))
        var edits: [LintEdit] = []
        for rule in LintRule.all where !ids.contains(rule.id) { rule.mend?(tree) { edits.append($0) } }
        edits.sort { $0.offset < $1.offset }
        var result: [LintEdit] = []
        var end = -1
        for edit in edits where edit.offset > end {
            if case .removeElement(let offset) = edit { end = SourceEditor.end(of: offset, in: source) }
            result.append(edit)
        }
        return result
    }
}

enum SourceEditor {
    static func apply(_ edit: LintEdit, to source: inout [UInt8]) {
        switch edit {
        case .removeByte(let offset): source.remove(at: offset)
        case .replaceString(let offset, let text):
            source.replaceSubrange(offset..<end(of: offset, in: source), with: JSONNode.string(text).text().utf8)
        case .removeElement(let offset): removeElement(at: offset, from: &source)
        }
    }

    /// With the comma before it, or else the one after it.
    private static func removeElement(at offset: Int, from source: inout [UInt8]) {
        var end = end(of: offset, in: source)
        var start = offset
        while start > 0, isSpace(source[start - 1]) { start -= 1 }
        if start > 0, source[start - 1] == UInt8(ascii: ",") {
            start -= 1
        } else {
            var after = end
            while after < source.count, isSpace(source[after]) { after += 1 }
            if after < source.count, source[after] == UInt8(ascii: ",") { end = after + 1 }
            start = offset
            while end < source.count, isSpace(source[end]) { end += 1 }
        }
        source.removeSubrange(start..<end)
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    /// Behind the value that begins at `offset`; the source is sound.
    static func end(of offset: Int, in source: [UInt8]) -> Int {
        var place = offset
        var depth = 0
        while place < source.count {
            switch source[place] {
            case UInt8(ascii: "\""):
                place = endOfString(at: place, in: source)
                if depth == 0 { return place }
                continue
            case UInt8(ascii: "/") where depth > 0:
                place = endOfComment(at: place, in: source)
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                if depth <= 0 { return depth == 0 ? place + 1 : place }
            default: break
            }
            place += 1
        }
        return source.count
    }

    private static func endOfString(at offset: Int, in source: [UInt8]) -> Int {
        var place = offset + 1
        while place < source.count, source[place] != UInt8(ascii: "\"") {
            place += source[place] == UInt8(ascii: "\\") ? 2 : 1
        }
        return min(place + 1, source.count)
    }

    private static func endOfComment(at offset: Int, in source: [UInt8]) -> Int {
        guard offset + 1 < source.count else { return source.count }
        let isBlock = source[offset + 1] == UInt8(ascii: "*")
        var place = offset + 2
        while place < source.count {
            if isBlock, source[place] == UInt8(ascii: "/"), source[place - 1] == UInt8(ascii: "*"), place > offset + 2 {
                return place + 1
            }
            if !isBlock, source[place] == 0x0A { return place }
            place += 1
        }
        return source.count
    }
}
