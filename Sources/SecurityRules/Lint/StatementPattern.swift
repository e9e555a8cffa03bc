// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

extension Array where Element == SyntaxTree.PatternSegment {

    /// The segments after `/databases/D/documents`; nil if the path does not begin so, or a glob covers the beginning.
    var documentsPart: ArraySlice<SyntaxTree.PatternSegment>? {
        guard count >= 3, self[0].isLiteral("databases"), self[2].isLiteral("documents"), !self[1].isGlob else {
            return nil
        }
        return self[3...]
    }

    /// Whether the beginning of every document's path is written twice. A collection may be called "documents".
    var repeatsPrefix: Bool {
        guard let part = documentsPart, let first = part.first else { return false }
        return first.isLiteral("databases") || (first.isLiteral("documents") && part.count % 2 == 1 && !hasGlob)
    }

    var hasGlob: Bool { contains(where: \.isGlob) }

    /// Whether it fits every document of all collections of the root, or more.
    var isWide: Bool {
        guard let part = documentsPart else { return first?.isGlob == true }
        return part.contains(where: \.isGlob)
            ? !part.contains { $0.literal != nil }
            : part.count == 2
                && part.allSatisfy { $0.literal == nil }
    }

    /// Whether every path that fits the other one fits this one.
    ///
    /// - Parameter version: in version 1 a glob stands for one segment at least.
    func covers(_ other: [Element], _ version: SyntaxTree.Version) -> Bool {
        Self.covers(self[...], other[...], leastInGlob: version == .one ? 1 : 0)
    }

    private static func covers(
        _ wide: ArraySlice<Element>, _ narrow: ArraySlice<Element>, leastInGlob least: Int
    ) -> Bool {
        guard let first = wide.first else { return narrow.isEmpty }
        if first.isGlob {
            return (0...narrow.count).contains {
                $0 >= least && covers(wide.dropFirst(), narrow.dropFirst($0), leastInGlob: least)
            }
        }
        guard let other = narrow.first, !other.isGlob else { return false }
        if let literal = first.literal, literal != other.literal { return false }
        return covers(wide.dropFirst(), narrow.dropFirst(), leastInGlob: least)
    }

    /// As written.
    var text: String {
        map { segment in
            switch segment.kind {
            case .literal(let text): "/\(text)"
            case .capture(let name): "/{\(name.text)}"
            case .glob(let name): "/{\(name.text)=**}"
            }
        }.joined()
    }

    /// As written, without `/databases/{database}/documents`.
    var shortText: String { documentsPart.map { Array($0).text } ?? text }
}

extension SyntaxTree.PatternSegment {
    var literal: Text? { if case .literal(let text) = kind { text } else { nil } }
    var isGlob: Bool { if case .glob = kind { true } else { false } }
    func isLiteral(_ word: Text) -> Bool { literal == word }
}
