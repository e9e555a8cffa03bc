// SPDX-License-Identifier: Apache-2.0

internal import JSONText

/// Copies a valid source with edits.
struct SourceEditor {
    private let source: [UInt8]
    /// For the offset of each array element except the first, where the element before it ends.
    private let endBefore: [Int: Int]
    /// The offsets of elements behind which an element of the same array stays.
    private let isFollowed: Set<Int>
    private var result: [UInt8] = []
    /// Everything before it was copied or cut.
    private var copied = 0
    private var count = 0

    /// - Parameter edits: in the order of the source. An edit inside an element that another edit removes is skipped.
    /// - Returns: the new source, and how many edits were made.
    static func edited(
        _ source: [UInt8], _ tree: ConfigurationTree, by edits: [LintEdit]
    ) -> (source: [UInt8], count: Int) {
        var editor = SourceEditor(source, tree, edits)
        for edit in edits where edit.range.lowerBound >= editor.copied { editor.make(edit) }
        editor.cut(source.count..<source.count)
        return (editor.result, editor.count)
    }

    private init(_ source: [UInt8], _ tree: ConfigurationTree, _ edits: [LintEdit]) {
        self.source = source
        let removed = Set(edits.compactMap { if case .removeElement(let range) = $0 { range.lowerBound } else { nil } })
        var ends: [Int: Int] = [:]
        var followed: Set<Int> = []
        tree.forEachValue { value in
            let elements = value.node.elements ?? []
            for (element, next) in zip(elements, elements.dropFirst()) { ends[next.offset] = element.range.upperBound }
            if let last = elements.lastIndex(where: { !removed.contains($0.offset) }) {
                followed.formUnion(elements[..<last].map(\.offset))
            }
        }
        (endBefore, isFollowed) = (ends, followed)
    }

    private mutating func make(_ edit: LintEdit) {
        count += 1
        switch edit {
        case .removeByte(let offset): cut(offset..<offset + 1)
        case .replaceString(let range, let text):
            cut(range)
            result += JSONNode.string(text).text().utf8
        case .removeElement(let element): remove(element)
        }
    }

    /// Removes the element and the comma before it. The first elements of an array have none, so the comma after them
    /// is removed. A comment between comma and element stays; the comma before it then stays too, if it can: behind a comment, the
    /// one after the element would stand on a line of its own.
    private mutating func remove(_ element: Range<Int>) {
        if let end = endBefore[element.lowerBound], let comma = comma(after: end), comma >= copied {
            let isAlone = isBlank(comma + 1..<element.lowerBound)
            if isAlone || !isFollowed.contains(element.lowerBound) {
                cut(comma..<(isAlone ? element.lowerBound : comma + 1))
                return cut(element)
            }
        }
        cut(element)
        guard let comma = comma(after: element.upperBound) else { return }
        if isBlank(element.upperBound..<comma) { cut(element.upperBound..<comma) }
        cut(comma..<(source[(comma + 1)...].firstIndex { !JSONParser.isWhiteSpace($0) } ?? source.count))
    }

    /// The offset of the comma after an element; nil after the last one.
    private func comma(after end: Int) -> Int? {
        let next = JSONParser.firstSignificantOffset(in: source, from: end)
        return source[next] == UInt8(ascii: ",") ? next : nil
    }

    /// Omits a range from the copy.
    private mutating func cut(_ range: Range<Int>) {
        result += source[copied..<range.lowerBound]
        copied = range.upperBound
    }

    private func isBlank(_ range: Range<Int>) -> Bool { source[range].allSatisfy(JSONParser.isWhiteSpace) }
}
