// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

/// Paths of documents that fit two statements.
enum ProofPaths {
    /// The segments that the paths of all documents begin with; nil for the database's.
    private static let prefix: [Text?] = ["databases", nil, "documents"]

    /// A path below `/databases/{database}/documents`; nil if there is none.
    ///
    /// - Parameters:
    ///   - ids: what wildcards may stand for.
    ///   - collections: the same where a collection's name belongs.
    static func common(
        _ first: OutlinedStatement, _ second: OutlinedStatement, ids: [Text], collections: [Text],
        _ generator: inout ProofRandom
    ) -> [Text]? {
        let least = max(first.leastCount, second.leastCount, prefix.count)
        let lengths = (1...5).map { prefix.count + $0 * 2 }.filter { $0 >= least && $0 <= least + 4 }
        let found = lengths.compactMap { length in
            join(
                join(first.texts(length), second.texts(length)),
                prefix + Array(repeating: nil, count: length - prefix.count))
        }
        guard !found.isEmpty else { return nil }
        let chosen = found[generator.next(below: found.count)].dropFirst(prefix.count)
        return chosen.enumerated().map { place, text in
            text ?? (place % 2 == 0 ? pick(collections, &generator) : pick(ids, &generator))
        }
    }

    /// Whether a path below `/databases/{database}/documents` is one of a statement's.
    static func fits(_ path: [Text], _ statement: OutlinedStatement) -> Bool {
        join(statement.texts(prefix.count + path.count), prefix + path) != nil
    }

    private static func pick(_ texts: [Text], _ generator: inout ProofRandom) -> Text {
        texts.isEmpty ? "x" : texts[generator.next(below: texts.count)]
    }

    private static func join(_ left: [Text?]?, _ right: [Text?]?) -> [Text?]? {
        guard let left, let right else { return nil }
        var joined: [Text?] = []
        for (one, other) in zip(left, right) {
            if let one, let other, one != other { return nil }
            joined.append(one ?? other)
        }
        return joined
    }
}

extension OutlinedStatement {
    private var overlap: Range<Int> { nesting.overlap ?? 0..<0 }

    fileprivate var leastCount: Int { pattern.count { !$0.isGlob } - overlap.count }

    /// Which segments of a path of this length each segment of the pattern stands for; nil if it fits no such path.
    func places(_ length: Int) -> [Range<Int>]? {
        let spare = length - leastCount
        guard !nesting.fitsNothing, spare == 0 || (spare > 0 && pattern.hasGlob) else { return nil }
        var next = 0
        return pattern.indices.map { index in
            let first = index == overlap.upperBound ? next - overlap.count : next
            next = first + (pattern[index].isGlob ? spare : 1)
            return first..<next
        }
    }

    /// What a path of this length must be: literals, and nil for what is free; nil if no such path fits.
    fileprivate func texts(_ length: Int) -> [Text?]? {
        guard let places = places(length) else { return nil }
        var texts = [Text?](repeating: nil, count: length)
        for (segment, place) in zip(pattern, places) {
            guard let literal = segment.literal else { continue }
            // Segments behind a glob and those of an inner `match` may be in one place.
            if let other = texts[place.lowerBound], other != literal { return nil }
            texts[place.lowerBound] = literal
        }
        return texts
    }
}
