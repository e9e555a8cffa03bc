// SPDX-License-Identifier: Apache-2.0

import JSONText
import TestSupport
import Testing

/// Random trees and damaged texts. A failure names its case; the seed repeats all of them.
@Suite struct RandomTextTests {
    @Test func everySpellingOfATreeReadsBack() throws {
        var fuzz = JSONFuzz(seed: 20_261_121)
        print("seed \(fuzz.seed)")
        for _ in 0..<Rounds.of(5_000) {
            let tree = fuzz.tree()
            let spelled = fuzz.spell(tree)
            let read = try JSONParser.parse(spelled)
            #expect(isSame(read, tree), "\(spelled)")
            try expectRanges(of: read, in: Array(spelled.utf8))
            let written = tree.text(fuzz.chance(50) ? .compact : .indented)
            #expect(isSame(try JSONParser.parse(written), tree), "\(written)")
        }
    }

    /// Any bytes give an error inside the input, or a tree that is read back from its own text.
    @Test func damagedTextNeverTraps() throws {
        var fuzz = JSONFuzz(seed: 7)
        print("seed \(fuzz.seed)")
        var accepted = 0
        for _ in 0..<Rounds.of(1_000) {
            let source = Array(fuzz.spell(fuzz.tree(depth: 3)).utf8)
            for _ in 0..<100 {
                let damaged = fuzz.damage(source)
                do {
                    let node = try JSONParser.parse(damaged, fuzz.chance(50) ? .strict : .withComments)
                    accepted += 1
                    if accepted.isMultiple(of: 20) {
                        #expect(isSame(try JSONParser.parse(node.text()), node), "\(damaged)")
                    }
                } catch {
                    if !(0...damaged.count).contains(error.offset) { Issue.record("\(error) in \(damaged)") }
                }
            }
        }
        #expect(accepted > Rounds.of(1_000), "damage that leaves nothing readable tests only the refusals")
    }

    /// The bytes of every node are a text of its own that has no white space around it.
    private func expectRanges(of node: JSONNode, in source: [UInt8]) throws {
        let text = Array(source[node.range])
        let again = try JSONParser.parse(text)
        #expect(isSame(again, node) && again.range == 0..<text.count, "\(String(decoding: text, as: UTF8.self))")
        for inner in node.elements ?? node.members?.map(\.node) ?? [] { try expectRanges(of: inner, in: source) }
    }

    private func isSame(_ left: JSONNode, _ right: JSONNode) -> Bool {
        switch (left.value, right.value) {
        case (.null, .null): true
        case (.boolean(let a), .boolean(let b)): a == b
        case (.number(let a), .number(let b)): a.text == b.text
        case (.string(let a), .string(let b)): a.utf8.elementsEqual(b.utf8)
        case (.array(let a), .array(let b)): a.count == b.count && zip(a, b).allSatisfy(isSame)
        case (.object(let a), .object(let b)):
            a.count == b.count
                && zip(a, b).allSatisfy { $0.key.utf8.elementsEqual($1.key.utf8) && isSame($0.node, $1.node) }
        default: false
        }
    }
}
