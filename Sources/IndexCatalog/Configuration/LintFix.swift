// SPDX-License-Identifier: Apache-2.0

internal import JSONText

/// A change of the source that fixes a breach and keeps everything else, comments included.
enum LintEdit {
    /// Removes an element of an array and one comma beside it.
    case removeElement(Range<Int>)
    /// Replaces a string.
    case replaceString(Range<Int>, by: String)
    case removeByte(at: Int)

    var range: Range<Int> {
        switch self {
        case .removeElement(let range), .replaceString(let range, _): range
        case .removeByte(let offset): offset..<offset + 1
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
            guard let (tree, edits) = edits(of: result, except: ids), !edits.isEmpty else {
                return count == 0 ? nil : (result, count)
            }
            let (next, made) = SourceEditor.edited(result, tree, by: edits)
            result = next
            count += made
        }
    }

    /// In the order of the source.
    private static func edits(
        of source: [UInt8], except ids: Set<String>
    ) -> (tree: ConfigurationTree, edits: [LintEdit])? {
        var commas: [Int] = []
        guard let root = try? JSONParser.parse(source, notingTrailingCommas: &commas) else { return nil }
        let tree = ConfigurationTree(root, lines: LineMap(source))
        if !commas.isEmpty, !ids.contains(LintRule.trailingComma.id) {
            return (tree, commas.sorted().map { .removeByte(at: $0) })
        }
        var errors: ErrorPlaces?
        func isSound(_ node: JSONNode) -> Bool {
            let known = errors ?? ErrorPlaces(breaches(in: tree))
            errors = known
            return known.spare(node)
        }
        var edits: [LintEdit] = []
        for rule in LintRule.all where !ids.contains(rule.id) { rule.mend?(tree, isSound) { edits.append($0) } }
        return (tree, edits.sorted { $0.range.lowerBound < $1.range.lowerBound })
    }
}
