// SPDX-License-Identifier: Apache-2.0

/// A reader of untrusted bytes. It ends with a result or an error, and what it accepts does not change when it is
/// written and read again.
package struct FuzzTarget: Sendable {
    package let name: String
    /// Inputs to start a search from.
    package let seeds: [[UInt8]]
    /// Reads an input. Throws ``Broken`` if the result is wrong. A trap is a finding too.
    package let run: @Sendable ([UInt8]) throws(Broken) -> Void

    /// A violated law.
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
        .documentJSON, .paths, .fieldPaths, .storedDocuments, .keys, .queryText, .queryJSON, .commitJSON, .source,
    ]
}

func require(_ condition: Bool, _ law: String) throws(FuzzTarget.Broken) {
    if !condition { throw FuzzTarget.Broken(description: law) }
}
