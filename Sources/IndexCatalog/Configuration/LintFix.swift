// SPDX-License-Identifier: Apache-2.0

internal import JSONText

/// An edit that fixes a finding and keeps everything else, including comments.
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
    /// Fixes what needs no decision: trailing commas, enumeration values in wrong case, entries that repeat another,
    /// and composites that an automatic index already provides. Production would do the same with the result, or would
    /// have refused the original.
    ///
    /// - Returns: nil if there is nothing to fix.
    package static func fixed(
        _ source: [UInt8], for edition: Edition = .standard, except ids: Set<String> = []
    ) -> (source: [UInt8], count: Int)? {
        var result = source
        var count = 0
        // One fix can reveal another: an entry in wrong case may turn out to be a duplicate.
        while true {
            guard let (tree, edits) = edits(of: result, edition, except: ids), !edits.isEmpty else {
                return count == 0 ? nil : (result, count)
            }
            let (next, made) = SourceEditor.edited(result, tree, by: edits)
            result = next
            count += made
        }
    }

    /// The edits, in source order.
    private static func edits(
        of source: [UInt8], _ edition: Edition, except ids: Set<String>
    ) -> (tree: ConfigurationTree, edits: [LintEdit])? {
        var commas: [Int] = []
        guard let root = try? JSONParser.parse(source, notingTrailingCommas: &commas) else { return nil }
        let tree = ConfigurationTree(root, lines: LineMap(source), edition: edition)
        if !commas.isEmpty, !ids.contains(LintRule.trailingComma.id) {
            return (tree, commas.sorted().map { .removeByte(at: $0) })
        }
        var errors: ErrorPlaces?
        func isValid(_ node: JSONNode) -> Bool {
            let known = errors ?? ErrorPlaces(violations(in: tree))
            errors = known
            return known.spare(node)
        }
        var edits: [LintEdit] = []
        for rule in LintRule.all where rule.editions.contains(edition) && !ids.contains(rule.id) {
            rule.fix?(tree, isValid) { edits.append($0) }
        }
        return (tree, edits.sorted { $0.range.lowerBound < $1.range.lowerBound })
    }
}
