// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import QueryPlanner
internal import TestSupport
internal import Testing

@testable internal import SecurityRules

/// A query that rules allow returns no document that a single read under the same condition refuses. The official proof
/// is unsound where the absence of a filter looks like the absence of a field, and where it denies what it does not
/// know: those forms are not built here, and `unsoundFormsStayKnown` names them.
@Suite struct SoundnessTests {
    private static func compile(_ condition: String) -> RuleSet? {
        RuleSet.compile(
            """
            rules_version = '2';
            service cloud.firestore {
              match /databases/{d}/documents { match /c/{id} { allow get, list: if \(condition); } }
            }
            """
        ).rules
    }

    private static let path = ResourcePath(segments: ["c", "x"])

    private static func decide(_ rules: RuleSet, _ operation: RuleRequest.Operation, _ fields: Fields) -> Bool {
        let auth = RuleValue.map(RuleMap([("uid", .string("a")), ("token", .map(.empty))]))
        let request = RuleRequest(operation, auth: auth, time: RuleTimestamp(.minimum))
        return rules.decide(request) { $0 == path ? fields : nil }.isAllowed
    }

    private static func list(_ filters: [Filter]) -> RuleRequest.Operation {
        .list(
            Query(
                from: CollectionSelector(collectionID: "c"),
                filter: filters.count > 1 ? .and(filters) : filters.first))
    }

    private struct Maker {
        var generator: SeededGenerator

        private static let names = ["f", "g", "h"]
        private static let literals = ["0", "1", "2", "1.5", "'a'", "'b'", "null", "true", "[1]", "request.auth.uid"]
        private static let signs = ["==", "!=", "<", "<=", ">", ">="]

        mutating func condition(_ depth: Int) -> String {
            if depth == 0 {
                let field = "resource.data.\(generator.pick(Maker.names))"
                let literal = generator.pick(Maker.literals)
                switch generator.int(0..<8) {
                case 0: return "\(literal) in \(field)"
                case 1: return "\(field).hasAny([1, 'a'])"
                case 2: return "true"
                case 3: return "\(literal) \(generator.pick(Maker.signs)) \(field)"
                default: return "\(field) \(generator.pick(Maker.signs)) \(literal)"
                }
            }
            let (left, right) = (condition(depth - 1), condition(depth - 1))
            switch generator.int(0..<7) {
            case 0, 1, 2: return "(\(left) && \(right))"
            case 3, 4: return "(\(left) || \(right))"
            case 5: return "(\(left) ? \(right) : false)"
            default: return left
            }
        }

        mutating func value() -> Value {
            let scalars: [Value] = [
                .integer(0), .integer(1), .integer(2), .double(1.5), .string("a"), .string("b"), .null, .boolean(true),
            ]
            if generator.int(0..<4) > 0 { return generator.pick(scalars) }
            return .array((0..<generator.int(0..<3)).map { _ in generator.pick(scalars) })
        }

        mutating func fields() -> Fields {
            Fields(sorting: Maker.names.filter { _ in generator.int(0..<5) > 0 }.map { Field(Text($0), value()) })
        }

        mutating func filters() -> [Filter] {
            (0..<generator.int(0..<4)).map { _ in
                let path = FieldPath(name: Text(generator.pick(Maker.names)))
                let comparisons: [FieldOperator] = [
                    .equal, .equal, .notEqual, .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual,
                    .arrayContains, .in,
                ]
                let comparison = generator.pick(comparisons)
                return .field(path, comparison, comparison == .in ? .array([value(), value()]) : value())
            }
        }
    }

    /// `HEARTH_RULES_FUZZ` triples of rules, query and document; `make fuzz` tries a million.
    @Test func allowedQueriesReturnWhatMayBeRead() throws {
        var maker = Maker(generator: SeededGenerator.printingSeed())
        var (tried, allowed, returned) = (0, 0, 0)
        let count = Rounds.of(200_000, or: "HEARTH_RULES_FUZZ")
        while tried < count {
            let condition = maker.condition(maker.generator.int(0..<4))
            let rules = try #require(Self.compile(condition), "\(condition)")
            for _ in 0..<20 {
                let filters = maker.filters()
                let isAllowed = Self.decide(rules, Self.list(filters), .empty)
                if isAllowed { allowed += 1 }
                for _ in 0..<5 {
                    tried += 1
                    let fields = maker.fields()
                    guard isAllowed,
                        FilterEvaluator.matches(filters, fields: fields, path: DocumentPath(Self.path)),
                        !Self.isUnsound(filters)
                    else { continue }
                    returned += 1
                    let isSound = Self.decide(rules, .get([Self.path]), fields)
                    #expect(isSound, "\(condition) \(filters) \(fields)")
                }
            }
        }
        print(
            "soundness: \(tried) of rules, query and document; \(allowed) queries allowed; \(returned) documents returned"
        )
        #expect(allowed > 0 && returned > 0)
    }

    /// Of a field equal to null the emulator believes any comparison with a bool, and of a float beside another filter that it
    /// differs from every int.
    private static func isUnsound(_ filters: [Filter]) -> Bool {
        filters.contains { filter in
            guard case .field(_, let comparison, let value) = filter else { return false }
            var values = [value]
            if comparison == .in, case .array(let elements) = value { values = elements }
            guard comparison == .equal || comparison == .in else { return false }
            return values.contains { if case .double = $0 { true } else { $0.isNull } }
        }
    }

    /// Of a list that contains a value, no query knows what is left without it, or what else is in it. Of one that is equal to a
    /// list, it knows all.
    @Test(arguments: ["removeAll(['a']).size() == 0", "removeAll(['b']).size() == 1", "hasOnly(['a'])", "size() == 1"])
    func remaindersAreKnownOfWholeListsOnly(_ condition: String) throws {
        let rules = try #require(Self.compile("resource.data.f.\(condition)"))
        let name = FieldPath(name: "f")
        #expect(!Self.decide(rules, Self.list([.field(name, .arrayContains, .string("a"))]), .empty))
        #expect(Self.decide(rules, Self.list([.field(name, .equal, .array([.string("a")]))]), .empty))
    }

    /// Forms for which the official emulator returns documents that its rules forbid, each recorded there.
    @Test(arguments: [
        "!('f' in resource.data)", "resource.data.keys().hasOnly(['g'])", "resource.data.size() == 1",
        "resource.data == {'g': 1}", "resource.data.get('f', 0) == 0", "!(resource.data.g in [7])",
    ])
    func unsoundFormsStayKnown(_ condition: String) throws {
        let rules = try #require(Self.compile(condition))
        let fields = Fields(sorting: [Field("f", .integer(7)), Field("g", .integer(condition.contains("[7]") ? 7 : 1))])
        let filter: Filter =
            condition.contains("[7]")
            ? .field(FieldPath(name: "g"), .greaterThan, .integer(0))
            : .field(FieldPath(name: "g"), .equal, .integer(1))
        #expect(Self.decide(rules, Self.list([filter]), fields))
        #expect(!Self.decide(rules, .get([Self.path]), fields))
    }
}
