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
    /// - Returns: nil if there is nothing to mend.
    package static func mended(_ source: [UInt8], except ids: Set<String> = []) -> (source: [UInt8], count: Int)? {
        var result = source
        var count = 0
        // Mending one breach can bring another to light: an entry in wrong case turns out to be a duplicate.
        while true {
            let edits = edits(of: result, except: ids)
            guard !edits.isEmpty else { return count == 0 ? nil : (result, count) }
            let (next, made) = SourceEditor.edited(result, by: edits)
            result = next
            count += made
        }
    }

    /// In the order of the source.
    private static func edits(of source: [UInt8], except ids: Set<String>) -> [LintEdit] {
        var commas: [Int] = []
        guard let root = try? JSONParser.parse(source, notingTrailingCommas: &commas) else { return [] }
        if !commas.isEmpty, !ids.contains(LintRule.trailingComma.id) {
            return commas.sorted().map { .removeByte(at: $0) }
        }
        let tree = ConfigurationTree(root, lines: LineMap(source))
        var errors: ErrorPlaces?
        func isSound(_ node: JSONNode) -> Bool {
            let known = errors ?? ErrorPlaces(breaches(in: tree))
            errors = known
            return known.spare(node)
        }
        var edits: [LintEdit] = []
        for rule in LintRule.all where !ids.contains(rule.id) { rule.mend?(tree, isSound) { edits.append($0) } }
        return edits.sorted { $0.offset < $1.offset }
    }
}
