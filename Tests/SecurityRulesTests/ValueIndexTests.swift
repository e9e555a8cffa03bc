// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import Testing

@testable internal import SecurityRules

/// Long lists of values that somebody has chosen to be hard to tell apart. Two of them are compared in time that does not
/// depend on their product.
@Suite struct ValueIndexTests {
    private static let count = 50_000

    enum Choice: CaseIterable {
        case zeros, numbers, points, splits, large

        /// Different ones.
        func value(_ number: Int) -> RuleValue {
            let bits = (0..<16).map { number >> $0 & 1 == 1 }
            switch self {
            case .zeros: return .list(RuleList(bits.map { .float($0 ? 0.0 : -0.0) }))
            case .numbers: return .list(RuleList(bits.map { $0 ? .int(0) : .null }))
            case .points: return GeoPoint(latitude: 1, longitude: Double(number) / 1_000).map(RuleValue.latlng) ?? .null
            case .splits:
                // The same numbers in lists that begin elsewhere.
                var lists: [[RuleValue]] = [[]]
                for isStart in bits {
                    if isStart { lists.append([.int(1)]) } else { lists[lists.count - 1].append(.int(1)) }
                }
                return .list(RuleList(lists.map { .list(RuleList($0)) }))
            case .large: return .int(.max - Int64(number))
            }
        }
    }

    @Test(.timeLimit(.minutes(1)), arguments: Choice.allCases)
    func differentValues(_ choice: Choice) throws {
        let values = (0..<Self.count).map(choice.value)
        #expect(try Self.holds(.hasAll, values, values))
        #expect(try Self.holds(.hasAny, Array(values.prefix(40)), Array(values.suffix(20))) == false)
        let distinct = RuleSetValue(values).elements.count
        #expect(distinct == (choice == .zeros ? 1 : Self.count))
    }

    @Test(.timeLimit(.minutes(1))) func valuesThatEqualNothing() throws {
        let values = Array(repeating: RuleValue.float(.nan), count: Self.count)
        #expect(try !Self.holds(.hasAny, values, values))
        #expect(RuleSetValue(values).elements.count == 1)
        #expect(RuleSetValue(values + [.float(-.nan)]).elements.count == 1)
        let diff = RuleValue.mapDiff(MapDiff(left: .empty, right: .empty))
        #expect(RuleSetValue(Array(repeating: diff, count: Self.count)).elements.count == Self.count)
    }

    private static func holds(_ method: Method, _ elements: [RuleValue], _ others: [RuleValue]) throws -> Bool {
        guard case .bool(let holds) = try ListMethods.call(method, RuleList(elements), [.list(RuleList(others))], .max)
        else {
            throw Failure()
        }
        return holds
    }

    private struct Failure: Error {}
}
