// SPDX-License-Identifier: Apache-2.0

/// A reader of outside bytes: whatever they are, it ends with an answer or an error, and what it accepts survives being written
/// and read again.
package struct FuzzTarget: Sendable {
    package let name: String
    /// Inputs from which a search can start.
    package let seeds: [[UInt8]]
    /// Reads an input; throws ``Broken`` where the answer is wrong. A trap is a finding in itself.
    package let run: @Sendable ([UInt8]) throws(Broken) -> Void

    /// A law that does not hold.
    package struct Broken: Error, CustomStringConvertible {
        package let description: String
    }

    init(_ name: String, seeds: [[UInt8]], run: @escaping @Sendable ([UInt8]) throws(Broken) -> Void) {
        self.name = name
        self.seeds = seeds
        self.run = run
    }

    init(_ name: String, seeds: [String], run: @escaping @Sendable ([UInt8]) throws(Broken) -> Void) {
        self.init(name, seeds: seeds.map { Array($0.utf8) }, run: run)
    }

    package static let all: [FuzzTarget] = [
        .documentJSON, .paths, .fieldPaths, .storedDocuments, .keys, .queryText, .queryJSON, .commitJSON,
    ]
}

func require(_ condition: Bool, _ law: String) throws(FuzzTarget.Broken) {
    if !condition { throw FuzzTarget.Broken(description: law) }
}
