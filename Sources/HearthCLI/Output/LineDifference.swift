// SPDX-License-Identifier: Apache-2.0

/// Two versions of a text as `diff -u` prints them, with three lines around each change.
enum LineDifference {
    private struct Line {
        /// A space, `-` or `+`.
        let mark: Character
        let text: Substring
    }

    static func lines(_ old: [UInt8], _ new: [UInt8], name: String) -> [String] {
        let all = merged(split(old), split(new))
        let changes = all.indices.filter { all[$0].mark != " " }
        guard !changes.isEmpty else { return [] }
        var result = ["--- \(name)", "+++ \(name)"]
        var next = 0
        while next < changes.count {
            var last = next
            while last + 1 < changes.count, changes[last + 1] - changes[last] <= 6 { last += 1 }
            let range = max(0, changes[next] - 3)...min(all.count - 1, changes[last] + 3)
            result.append(headline(all, range))
            result += all[range].map { "\($0.mark)\($0.text)" }
            next = last + 1
        }
        return result
    }

    private static func split(_ bytes: [UInt8]) -> [Substring] {
        var lines = String(decoding: bytes, as: UTF8.self).split(
            omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        if lines.last?.isEmpty == true { lines.removeLast() }
        return lines
    }

    /// The lines of both, removed ones before added ones.
    private static func merged(_ old: [Substring], _ new: [Substring]) -> [Line] {
        let difference = new.difference(from: old)
        let removed = Set(difference.removals.map(offset))
        let added = Set(difference.insertions.map(offset))
        var lines: [Line] = []
        var (before, after) = (0, 0)
        while before < old.count || after < new.count {
            if removed.contains(before) {
                lines.append(Line(mark: "-", text: old[before]))
                before += 1
            } else if added.contains(after) {
                lines.append(Line(mark: "+", text: new[after]))
                after += 1
            } else {
                lines.append(Line(mark: " ", text: old[before]))
                before += 1
                after += 1
            }
        }
        return lines
    }

    private static func offset(_ change: CollectionDifference<Substring>.Change) -> Int {
        switch change {
        case .insert(let offset, _, _), .remove(let offset, _, _): offset
        }
    }

    private static func headline(_ all: [Line], _ range: ClosedRange<Int>) -> String {
        func extent(without mark: Character) -> String {
            let start = all[..<range.lowerBound].count { $0.mark != mark } + 1
            return "\(start),\(all[range].count { $0.mark != mark })"
        }
        return "@@ -\(extent(without: "+")) +\(extent(without: "-")) @@"
    }
}
