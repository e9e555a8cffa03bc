// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

/// Paths of documents that fit two patterns.
enum ProofPaths {
    /// - Parameters:
    ///   - ids: what wildcards may stand for.
    ///   - collections: the same where a collection's name belongs.
    static func common(
        _ first: [SyntaxTree.PatternSegment], _ second: [SyntaxTree.PatternSegment], ids: [Text], collections: [Text],
        _ generator: inout ProofRandom
    ) -> [Text]? {
        guard let left = first.part, let right = second.part else { return nil }
        let least = max(left.count { !$0.isGlob }, right.count { !$0.isGlob })
        let lengths = (1...5).map { $0 * 2 }.filter { $0 >= least && $0 <= least + 4 }
        var found: [[Text?]] = []
        for length in lengths {
            for one in expansions(left, length) {
                for other in expansions(right, length) {
                    if let joined = join(one, other) { found.append(joined) }
                }
            }
        }
        guard !found.isEmpty else { return nil }
        let chosen = found[generator.next(below: found.count)]
        return chosen.enumerated().map { place, text in
            text ?? (place % 2 == 0 ? pick(collections, &generator) : pick(ids, &generator))
        }
    }

    private static func pick(_ texts: [Text], _ generator: inout ProofRandom) -> Text {
        texts.isEmpty ? "x" : texts[generator.next(below: texts.count)]
    }

    /// A pattern of a length: literals, and nil for what is free.
    private static func expansions(_ pattern: ArraySlice<SyntaxTree.PatternSegment>, _ length: Int) -> [[Text?]] {
        let spare = length - pattern.count { !$0.isGlob }
        guard spare >= 0, spare == 0 || pattern.contains(where: \.isGlob) else { return [] }
        return [pattern.flatMap { $0.isGlob ? Array(repeating: Text?.none, count: spare) : [$0.literal] }]
    }

    private static func join(_ left: [Text?], _ right: [Text?]) -> [Text?]? {
        var joined: [Text?] = []
        for (one, other) in zip(left, right) {
            if let one, let other, one != other { return nil }
            joined.append(one ?? other)
        }
        return joined
    }
}

extension [SyntaxTree.PatternSegment] {
    /// The segments below `/databases/D/documents`, the whole of a path that begins with a glob.
    fileprivate var part: ArraySlice<SyntaxTree.PatternSegment>? {
        if first?.isGlob == true { return self[...] }
        if count >= 2, self[0].isLiteral("databases"), self[1].isGlob { return self[1...] }
        return documentsPart
    }
}
