// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import TestSupport
internal import Testing

@Suite struct NaiveOrderTests {
    /// V-2 to V-24 on hand-picked cases.
    @Test func hardCasesAscend() {
        let groups = HardCases.ascendingGroups
        for (left, lefts) in groups.enumerated() {
            for (right, rights) in groups.enumerated() {
                for one in lefts {
                    for other in rights {
                        let order = NaiveOrder.compare(one, other).signum()
                        #expect(order == (left - right).signum(), "\(one) and \(other)")
                    }
                }
            }
        }
    }

    /// V-14: the order of Google's own production test, for values, for IDs and for field names.
    @Test func stringsOrderByUTF8() {
        let texts: [Text] = [
            "Sierpiński", "Łukasiewicz", "你好", "你顥", "岩澤", "︒", "Ｐ", "🄟", "🐵", "😀", "😁",
        ]
        for (left, right) in zip(texts, texts.dropFirst()) {
            #expect(NaiveOrder.compare(left, right) < 0)
            let paths = [left, right].map { ResourcePath(segments: ["c", $0]) }
            #expect(NaiveOrder.compare(paths[0], paths[1]) < 0)
            let maps = [left, right].map { Value.map(Fields([Field($0, nil)])!) }
            #expect(NaiveOrder.compare(maps[0], maps[1]) < 0)
        }
    }

    /// The laws of a total order: antisymmetry and transitivity.
    @Test func orderIsTotal() throws {
        let values = ValueGenerator()
        try check(
            count: 5_000, generate: { random in (0..<3).map { _ in values.value(&random) } },
            failure: { triple in
                guard triple.count == 3 else { return nil }
                let sorted = triple.sorted { NaiveOrder.compare($0, $1) < 0 }
                for (left, right) in [(0, 1), (1, 2), (0, 2)] {
                    let order = NaiveOrder.compare(sorted[left], sorted[right])
                    if order > 0 { return "\(left) is after \(right) once sorted" }
                    if order.signum() != -NaiveOrder.compare(sorted[right], sorted[left]).signum() {
                        return "\(left) and \(right) disagree when exchanged"
                    }
                }
                return nil
            })
    }
}
