// SPDX-License-Identifier: Apache-2.0

/// A violated property, with the smallest input found that violates it.
package struct Counterexample: Error, CustomStringConvertible {
    package let description: String
}

/// Checks a property of random inputs.
///
/// - Parameters:
///   - name: the claim, for the message.
///   - shrink: simpler inputs near a failing one, the simplest first; ``Shrinker`` has the usual ones.
///   - failure: why an input violates the property, or nil if it does not.
/// - Throws: ``Counterexample`` with a shrunk input, and the seed that repeats the run.
package func check<Input>(
    _ name: String = #function, count: Int = 500, generator: SeededGenerator? = nil,
    generate: (inout SeededGenerator) -> Input,
    shrink: (Input) -> [Input] = { _ in [] },
    failure: (Input) throws -> String?
) throws {
    var generator = generator ?? SeededGenerator.printingSeed(name)
    for number in 0..<count {
        let input = generate(&generator)
        guard try failure(input) != nil else { continue }
        let smallest = try Shrinker.smallest(from: input, candidates: shrink) { try failure($0) != nil }
        let reason = try failure(smallest) ?? "the failure does not repeat"
        throw Counterexample(
            description: """
                \(name): input \(number + 1) of \(count), seed \(generator.seed): \(reason)
                smallest input that fails: \(smallest)
                """)
    }
}
