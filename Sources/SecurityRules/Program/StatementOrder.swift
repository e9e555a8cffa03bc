// SPDX-License-Identifier: Apache-2.0

extension Program.Parts {
    /// Orders the statements of a `match` with a glob, and of those within it, as the emulator tries them: it has the glob stand for as
    /// little as possible first. The order decides which statements the limits of a request still let decide.
    ///
    /// - Parameter first: the first of those statements, which are the last ones. Each `match` has its own before those of inner ones.
    mutating func orderByGlob(from first: Int) {
        // Of one path, a glob stands for the less, the more segments there are besides.
        let sorted = statements[first...].enumerated().sorted { left, right in
            (length(right.element), left.offset) < (length(left.element), right.offset)
        }
        statements.replaceSubrange(first..., with: sorted.map(\.element))
    }

    /// How many segments the pattern of a statement has, without those that take no room of their own.
    private func length(_ statement: Program.Statement) -> Int {
        let pattern = patterns[statement.pattern]
        return pattern.segments.count - (pattern.nesting.overlap?.count ?? 0)
    }
}
