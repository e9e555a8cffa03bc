// SPDX-License-Identifier: Apache-2.0

/// What a glob makes of the matches that are nested in its own. In version 1 a glob ends a path. In version 2 the emulator, which is what
/// is known, has the glob reach to the inner paths, and compares what stands behind it in its own path where those begin.
struct GlobNesting: Sendable {
    /// The segments behind the glob in its own `match`, if others are nested in that: they take no room of their own in a path.
    private(set) var overlap: Range<Int>?
    /// Whether no path fits.
    private(set) var fitsNothing = false

    /// Whether nested matches mean another path than the same segments in one `match`.
    var isUnlikeOnePath: Bool { fitsNothing || overlap?.isEmpty == false }

    /// Goes on within a `match`.
    ///
    /// - Parameters:
    ///   - glob: the glob's place among the segments so far; nil if there is none.
    ///   - count: how many segments there are so far.
    mutating func beginInner(_ version: SyntaxTree.Version, glob: Int?, count: Int) {
        guard let glob else { return }
        if version == .one { fitsNothing = true }
        if overlap == nil { overlap = glob + 1..<count }
    }

    /// Takes the path of the inner `match`.
    ///
    /// - Parameter count: how many segments there are with it.
    mutating func endInner(_ version: SyntaxTree.Version, count: Int) {
        guard version != .one, let overlap else { return }
        fitsNothing = !overlap.isEmpty && overlap.count >= count - overlap.upperBound
    }
}
