// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import IndexCatalog
internal import QueryPlanner
internal import TestSupport
internal import Testing

@Suite struct AdvisorTests {
    private let database = RandomQueries.database

    private func advisor(_ queries: [String], _ preference: IndexAdvisor.Preference = .size) throws -> IndexAdvisor {
        var advisor = IndexAdvisor(preference)
        for query in queries { try advisor.add(try QueryText.parse(query, database: database), database: database) }
        return advisor
    }

    private func properties(_ indexes: [IndexDefinition]) -> [String] {
        indexes.map { "\($0.scope.wireName) \($0.properties)" }.sorted()
    }

    private static let restaurants = [
        "r.where('category','==',1).orderBy('rating')", "r.where('city','==',1).orderBy('rating')",
        "r.where('category','==',1).where('city','==',1).orderBy('rating')",
    ]

    /// I-34: merging serves what is asked for together.
    @Test func joinsWhereJoiningIsEnough() throws {
        let advice = try advisor(Self.restaurants).smallestConfiguration()
        #expect(
            properties(advice.configuration.indexes) == [
                "COLLECTION (category ASC, rating ASC, __name__ ASC)",
                "COLLECTION (city ASC, rating ASC, __name__ ASC)",
            ])
        #expect(advice.isExact)
    }

    /// Shapes that share a field take no more work each if there are more of them, except for visits of the search, which are
    /// bounded.
    @Test(arguments: [".where('a','==',1)", ""]) func theWorkGrowsWithTheNumberOfShapes(_ shared: String) throws {
        let efforts = try [60, 120].map { count in
            let queries = (0..<count).map { "c.where('members.u\($0)','==',true)\(shared).orderBy('t','desc')" }
            let advice = try advisor(queries).smallestConfiguration()
            #expect(advice.isExact && advice.configuration.indexes.count == count)
            return advice.effort
        }
        #expect(Double(efforts[1].matches) < 2.5 * Double(efforts[0].matches), "\(efforts)")
        for effort in efforts { #expect(effort.comparisons < 10 * effort.visits, "\(efforts)") }
    }

    /// I-26.
    @Test func prefersSpeedOnRequest() throws {
        let advice = try advisor(Self.restaurants, .speed).smallestConfiguration()
        #expect(properties(advice.configuration.indexes).count == 3)
        let merge = try advisor(["r.where('a','==',1).where('b','==',1)"], .speed).smallestConfiguration()
        #expect(properties(merge.configuration.indexes) == ["COLLECTION (a ASC, b ASC, __name__ ASC)"])
    }

    /// I-28: one index whose bound fields stand so that it serves an order too.
    @Test func ordersBoundFieldsSoThatTheyServeOthers() throws {
        let advice = try advisor([
            "c.where('a','==',1).where('b','==',1).orderBy('x')", "c.where('b','==',1).orderBy('a').orderBy('x')",
        ]).smallestConfiguration()
        #expect(properties(advice.configuration.indexes) == ["COLLECTION (b ASC, a ASC, x ASC, __name__ ASC)"])
    }

    /// I-2, I-13: single-field indexes of a group come before composites.
    @Test func advisesOverridesForGroups() throws {
        let advice = try advisor([
            "collectionGroup('l').where('a','==',1).where('b','array-contains',1)",
            "collectionGroup('l').orderBy('a','desc')",
        ]).smallestConfiguration()
        #expect(advice.configuration.indexes.isEmpty)
        let overrides = advice.configuration.fieldOverrides
        #expect(overrides.map { "\($0.path!)" }.sorted() == ["a", "b"])
        for override in overrides { #expect(override.indexes.isSuperset(of: SingleFieldIndex.automatic)) }
    }

    /// I-23: one index for the group serves the collection too.
    @Test func sharesGroupIndexes() throws {
        let advice = try advisor([
            "collectionGroup('l').where('a','==',1).orderBy('b')", "collection('l').where('a','==',2).orderBy('b')",
        ]).smallestConfiguration()
        #expect(properties(advice.configuration.indexes) == ["COLLECTION_GROUP (a ASC, b ASC, __name__ ASC)"])
    }

    /// I-8, I-11: what the file switches off stays off while a composite can serve.
    @Test func respectsExemptions() throws {
        let file = IndexConfiguration(fieldOverrides: [
            FieldOverride(collectionGroup: "c", path: FieldPath(name: "a"), indexes: [], timeToLive: true)
        ])
        let two = try advisor(["c.where('a','==',1).where('b','==',1)"]).smallestConfiguration(replacing: file)
        #expect(properties(two.configuration.indexes) == ["COLLECTION (a ASC, b ASC, __name__ ASC)"])
        #expect(two.configuration.fieldOverrides == file.fieldOverrides)
        let alone = try advisor(["c.where('a','==',1)"]).smallestConfiguration(replacing: file)
        #expect(alone.configuration.indexes.isEmpty)
        #expect(alone.configuration.fieldOverrides.first?.indexes == [SingleFieldIndex(.ascending, .collection)])
        #expect(alone.configuration.fieldOverrides.first?.timeToLive == true)
    }

    private func definition(_ fields: String..., group: Text = "r") -> IndexDefinition {
        IndexDefinition(
            collectionGroup: group, scope: .collection,
            fields: fields.map { IndexField(FieldPath(name: Text($0)), .order(.ascending)) }, nameDirection: .ascending)
    }

    @Test func reviewsAFile() throws {
        let file = IndexConfiguration(indexes: [
            definition("category", "city", "rating"), definition("category", "rating"), definition("city", "rating"),
            definition("owner", "rating"),
        ])
        let review = try advisor(Self.restaurants).review(file)
        #expect(review.additions == IndexConfiguration())
        #expect(review.unused == [definition("owner", "rating")])
        #expect(review.redundant.map(\.index) == [definition("category", "city", "rating")])
        #expect(
            Set(review.redundant.flatMap(\.coveredBy)) == [
                definition("category", "rating"), definition("city", "rating"),
            ])
        #expect(review.redundant.map(\.needsJoin) == [true])
    }

    @Test func namesWhatIsMissing() throws {
        let file = IndexConfiguration(indexes: [definition("category", "rating")])
        let review = try advisor(Self.restaurants).review(file)
        #expect(review.additions.indexes == [definition("city", "rating")])
        #expect(review.unused.isEmpty && review.redundant.isEmpty)
    }

    /// Of several overrides for one field the last counts: advice does not bring an earlier one back.
    @Test func leavesOverridesThatAreNotInForce() throws {
        let both = SingleFieldIndex(.ascending, .collectionGroup)
        let file = IndexConfiguration(fieldOverrides: [
            FieldOverride(collectionGroup: "l", path: nil, indexes: []),
            FieldOverride(collectionGroup: "l", path: nil, indexes: [both]),
        ])
        let queries = try advisor(["collectionGroup('l').orderBy('a')", "collectionGroup('l').orderBy('b','desc')"])
        let additions = queries.review(file).additions
        #expect(
            additions.fieldOverrides == [
                FieldOverride(
                    collectionGroup: "l", path: "b", indexes: [both, SingleFieldIndex(.descending, .collectionGroup)])
            ])
        #expect(queries.review(file.adding(additions)).additions == IndexConfiguration())
    }

    /// Laws of advice over random queries and files, tried with the planner.
    @Test func servesEverythingAndIsNeverWorseThanOneAShape() throws {
        var random = RandomQueries(SeededGenerator.printingSeed())
        var checked = 0
        for _ in 0..<60 {
            var requests: [QueryRequest] = []
            for _ in 0..<6 {
                let query = random.query()
                if (try? QueryValidator.validate(query, database: database)) != nil {
                    requests.append(.documents(query))
                }
            }
            let catalog = random.catalog()
            let file = IndexConfiguration(
                indexes: catalog.composites.map(\.definition).filter { $0.equivalentAutomatic == nil },
                fieldOverrides: catalog.fieldOverrides)
            for preference in [IndexAdvisor.Preference.size, .speed] {
                var advisor = IndexAdvisor(preference)
                for request in requests { try advisor.add(request, database: database) }
                try expectLaws(advisor, requests, file)
                checked += 1
            }
        }
        #expect(checked == 120)
    }

    private func expectLaws(_ advisor: IndexAdvisor, _ requests: [QueryRequest], _ file: IndexConfiguration) throws {
        func serves(_ configuration: IndexConfiguration) -> Bool {
            let catalog = IndexCatalog(configuration)
            return requests.allSatisfy { (try? Planner.plan($0, catalog: catalog, database: database)) != nil }
        }
        let fresh = advisor.smallestConfiguration().configuration
        #expect(serves(fresh), "\(fresh) for \(requests)")
        #expect(fresh.indexes.count <= advisor.shapeCount)
        let replacing = advisor.smallestConfiguration(replacing: file).configuration
        #expect(serves(replacing), "\(replacing) replacing \(file) for \(requests)")
        let review = advisor.review(file)
        let whole = file.adding(review.additions)
        #expect(serves(whole), "\(review.additions) to \(file) for \(requests)")
        #expect(advisor.review(whole).additions == IndexConfiguration())
        let gone = Set(review.unused + review.redundant.map(\.index))
        var rest = whole
        rest.indexes.removeAll { gone.contains($0) }
        #expect(serves(rest), "without \(gone), with \(review.additions), of \(file), for \(requests)")
        #expect(replacing.indexes.count <= rest.indexes.count)
    }
}
