// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import IndexCatalog
internal import QueryPlanner
internal import TestSupport
internal import Testing

/// D-8: a path has at most 1,500 bytes, its dots counted. The words and their place among other refusals are those of the
/// official emulator, which was asked by REST; it measures names without their backticks and escapes.
@Suite struct PathLengthTests {
    private static let refusal = "property path is longer than 1500 bytes."
    private let tooLong = FieldPath(name: Text(String(repeating: "a", count: 1_501)))
    private let one = Value.integer(1)
    private let b = FieldPath(name: "b")

    private func message(_ query: Query) -> String? {
        do throws(InvalidQueryError) {
            try QueryValidator.validate(query, database: DatabaseID(project: "p"))
            return nil
        } catch {
            return error.message
        }
    }

    private func message(_ aggregations: [Aggregation.Kind], alias: Text? = nil) -> String? {
        let query = AggregationQuery(
            Query(from: CollectionSelector(collectionID: "c")),
            aggregations.map { Aggregation(alias: alias, $0) })
        do throws(InvalidQueryError) {
            _ = try Normalizer.normalize(query, database: DatabaseID(project: "p"))
            return nil
        } catch {
            return error.message
        }
    }

    private func query(
        _ filter: Filter? = nil, orders: [FieldPath] = [], select: [FieldPath]? = nil, from collection: Text? = "c"
    ) -> Query {
        Query(
            from: CollectionSelector(collectionID: collection, allDescendants: collection == nil), filter: filter,
            orders: orders.map { Order($0) }, projection: select)
    }

    @Test func everyPlaceRefusesALongPath() {
        for filter in [
            Filter.field(tooLong, .equal, one), .field(tooLong, .notEqual, one), .unary(tooLong, .isNull),
            .field(tooLong, .arrayContainsAny, .array([one])), .or([.field(b, .equal, one), .unary(tooLong, .isNaN)]),
        ] {
            #expect(message(query(filter)) == Self.refusal, "\(filter)")
        }
        #expect(message(query(orders: [tooLong])) == Self.refusal)
        #expect(message(query(select: [.documentName, tooLong])) == Self.refusal)
        #expect(message([.sum(tooLong)]) == Self.refusal)
        #expect(message([.count(upTo: nil), .average(tooLong)]) == Self.refusal)
    }

    @Test func bytesOfNamesAndDotsCount() {
        func path(_ names: String...) -> FieldPath { FieldPath(names.map { Text($0) }) }
        func repeated(_ string: String, _ count: Int) -> String { String(repeating: string, count: count) }
        for allowed in [
            path(repeated("a", 1_500)), path(repeated("é", 750)), path(repeated("`", 1_500)),
            path(repeated("a", 749), repeated("-", 750)), path(repeated(".", 1_500)),
        ] {
            #expect(message(query(.field(allowed, .equal, one))) == nil, "\(allowed)")
        }
        for refused in [
            path(repeated("é", 750), "a"), path(repeated("`", 1_501)), path(repeated("a", 750), repeated("a", 750)),
            path(repeated("😀", 375) + "a"),
        ] {
            #expect(message(query(.field(refused, .equal, one))) == Self.refusal, "\(refused)")
        }
    }

    /// Each line as the emulator answers it.
    @Test func placeAmongOtherRefusals() {
        let long = Filter.field(tooLong, .equal, one)
        let reserved = FieldPath(name: "__x__")
        #expect(message(query(long, orders: [reserved])) == "Invalid reserved name in field path __x__")
        #expect(message(query(.field(tooLong, .in, .array([])))) == "'IN' requires an non-empty ArrayValue.")
        #expect(
            message(query(.and([.field(.documentName, .equal, one), long]))) == "__key__ filter value must be a Key")
        #expect(
            message(query(.and([.field(tooLong, .notEqual, one), .field(b, .notEqual, one)])))?
                .hasPrefix("Only a single") == true)
        let key = Reference(database: DatabaseID(project: "p"), path: DocumentPath("c/x").resource)
        let keyed = Filter.and([.field(.documentName, .equal, .reference(key)), .field(tooLong, .lessThan, one)])
        #expect(message(query(keyed)) == Self.refusal)
        #expect(message(query(long, from: nil)) == Self.refusal)
        #expect(message(query(orders: [b, b, tooLong])) == Self.refusal)
        #expect(message(query(orders: [.documentName, tooLong])) == Self.refusal)
        #expect(message(query(orders: [b, b], select: [tooLong])) == Self.refusal)
        #expect(
            message([.sum(.documentName), .sum(tooLong)]) == "Aggregations are not supported for the property: __key__")
        #expect(message([.sum(tooLong)], alias: "__x__") == "The property.name \"__x__\" is reserved.")
        #expect(message([.sum(tooLong), .sum(tooLong)], alias: "x") == Self.refusal)
    }
}
