// SPDX-License-Identifier: Apache-2.0

extension Pattern {
    /// A short text that a pattern may match as a whole; nil for a pattern that does not follow the dialect, or whose text would be
    /// long. What it asserts about places in the text is not looked at: ask ``matches(_:)``.
    ///
    /// - Parameter random: chooses among alternatives.
    static func sample(_ source: String, _ random: inout ProofRandom) -> String? {
        var parser = PatternParser(source)
        guard let tree = try? parser.parse() else { return nil }
        var sample = PatternSample(random: random)
        defer { random = sample.random }
        return sample.append(tree) ? String(sample.scalars) : nil
    }
}

private struct PatternSample {
    var random: ProofRandom
    var scalars = String.UnicodeScalarView()
    private static let mostScalars = 4_096

    /// False if there is none.
    mutating func append(_ tree: PatternTree) -> Bool {
        switch tree {
        case .empty, .assertion: return true
        case .capture(_, let inner): return append(inner)
        case .concatenation(let parts):
            for part in parts where !append(part) { return false }
            return true
        case .alternation(let ways): return append(ways[random.next(below: ways.count)])
        case .repetition(let inner, let minimum, let maximum, _):
            let mayBeMore = maximum.map { $0 > minimum } ?? true
            let count = minimum + (mayBeMore ? random.next(below: 2) : 0)
            for _ in 0..<count where !append(inner) { return false }
            return true
        case .set(let set):
            guard scalars.count < PatternSample.mostScalars, let scalar = PatternSample.scalar(in: set) else {
                return false
            }
            scalars.append(scalar)
            return true
        }
    }

    private static func scalar(in set: CharacterSet) -> Unicode.Scalar? {
        let usual = "aA1-_.@/ ".unicodeScalars.first { set.contains($0.value) }
        return usual ?? (0x20..<0x3000).lazy.compactMap(Unicode.Scalar.init).first { set.contains($0.value) }
    }
}
