// SPDX-License-Identifier: Apache-2.0

#if Server && Connected
    import DocumentModel
    import CloudFirestore
    import IndexCatalog
    import QueryPlanner
    import SyncCore
    import TestSupport
    import Testing

    /// Single requests against `hearth serve`.
    @Suite struct ClientCallTests {
        private let server: LocalServer
        private let client: FirestoreClient

        init() throws {
            server = try LocalServer()
            client = try server.client()
        }

        @Test func commitsAndReads() async throws {
            let commit = try await client.commit([.n("c", "a", 1), .n("c", "b", 2)])
            #expect(commit.results.map(\.updateTime) == [commit.commitTime, commit.commitTime])
            let paths = ["b", "missing", "a", "b"].map { DocumentPath("c", $0) }
            let documents = try await client.documents(at: paths)
            #expect(documents.map(\.path) == paths)
            #expect(documents.map { $0.value("n") } == [.integer(2), nil, .integer(1), .integer(2)])
            #expect(documents[0].version == commit.commitTime && documents[0].createTime == commit.commitTime)
            #expect(!documents[1].isFound && documents[1].isCached && documents[1].version >= commit.commitTime)
            #expect(try await client.documents(at: []).isEmpty)
        }

        @Test func transforms() async throws {
            let path = DocumentPath("c", "a")
            let transforms = [
                FieldTransform("n", .increment(.integer(5))), FieldTransform("t", .serverTimestamp),
                FieldTransform("l", .appendMissingElements([.integer(1)])),
            ]
            let commit = try await client.commit([Write(path, .update([:], mask: [], transforms: transforms))])
            let results = commit.results[0].transformResults
            #expect(results.count == 3)
            #expect(results[0] == .integer(5))
            let document = try await client.documents(at: [path])[0]
            #expect(document.value("t") == results[1])
            #expect(document.value("l") == .array([.integer(1)]))
        }

        @Test func refusals() async throws {
            let update = Write(
                DocumentPath("c", "no"), .update([:], mask: ["a"], transforms: []), precondition: .exists(true))
            await #expect(throws: SyncError.self) { try await client.commit([update]) }
            do throws(SyncError) { _ = try await client.commit([update]) } catch { #expect(error.code == .notFound) }
        }

        @Test func batchWrites() async throws {
            _ = try await client.commit([.n("c", "a", 1)])
            var create = Write.n("c", "a", 2)
            create.precondition = .exists(false)
            let results = try await client.batchWrite([create, .n("c", "b", 3)])
            #expect(results.count == 2)
            guard case .failure(let error) = results[0], case .success(let result) = results[1] else {
                Issue.record("\(results)")
                return
            }
            #expect(error.code == .alreadyExists)
            #expect(try await client.documents(at: [DocumentPath("c", "b")])[0].version == result.updateTime)
        }

        @Test func queries() async throws {
            try await client.fill("c", 10)
            let ordered = Query.collection("c").with {
                $0.filter = .field("n", .greaterThan, .integer(2))
                $0.orders = [Order("n", .descending)]
                $0.limit = 3
            }
            #expect(try await values(ordered) == [9, 8, 7])
            #expect(try await values(ordered.with { $0.limitToLast = true }) == [5, 4, 3])
            let between = Query.collection("c").with {
                $0.orders = [Order("n")]
                $0.start = Cursor([.integer(2)], before: false)
                $0.end = Cursor([.integer(8)], before: true)
                $0.limit = 2
                $0.limitToLast = true
            }
            #expect(try await values(between) == [6, 7])
            #expect(try await values(ordered.with { $0.offset = 2 }) == [7, 6, 5])
            let count = AggregationQuery(
                Query.collection("c"),
                [
                    Aggregation(alias: nil, .count(upTo: nil)), Aggregation(alias: "x", .sum("n")),
                    Aggregation(alias: nil, .average("n")), Aggregation(alias: nil, .count(upTo: 4)),
                ])
            #expect(try await client.aggregate(count) == [.integer(10), .integer(45), .double(4.5), .integer(4)])
            let last = AggregationQuery(between, [Aggregation(alias: nil, .sum("n"))])
            #expect(try await client.aggregate(last) == [.integer(13)])
        }

        /// The server would give the first rows.
        @Test func lastRowsNeedAnOrder() async throws {
            let query = Query.collection("c").with { ($0.limit, $0.limitToLast) = (2, true) }
            await #expect(throws: SyncError.self) { try await client.documents(of: query) }
        }

        /// An order by `__name__` that is sent would have the aggregation refused, whatever indexes there are.
        @Test func aggregationsOfLastRows() async throws {
            let index = IndexDefinition(
                collectionGroup: "l", scope: .collection,
                listedFields: [IndexField("x", .order(.descending)), IndexField("n", .order(.descending))])
            let server = try LocalServer(indexes: IndexConfiguration(indexes: [try #require(index)]))
            let client = try server.client()
            let last = Query.collection("l").with {
                ($0.orders, $0.limit, $0.limitToLast) = ([Order("x")], 2, true)
            }
            _ = try await client.batchWrite(
                (Int64(0)..<5).map { number in
                    let fields = [Field("x", .integer(-number)), Field("n", .integer(number))]
                    return Write.set(DocumentPath("l", "d\(number)"), Fields(fields)!)
                })
            let sums = [Aggregation(alias: nil, .sum("n")), Aggregation(alias: nil, .average("n"))]
            #expect(try await client.aggregate(AggregationQuery(last, sums)) == [.integer(1), .double(0.5)])
        }

        private func values(_ query: Query) async throws -> [Int64] {
            try await client.documents(of: query).compactMap {
                if case .integer(let n)? = $0.value("n") { n } else { nil }
            }
        }

        /// A read in the past sees no later write.
        @Test func pastReads() async throws {
            let before = try await client.commit([.n("c", "a", 1)]).commitTime
            _ = try await client.commit([.n("c", "a", 2)])
            let rows = try await client.rows(of: Query.collection("c"), at: before)
            #expect(try await rows.next()?.value("n") == .integer(1))
            #expect(try await rows.next() == nil)
        }

        @Test func structure() async throws {
            for number in 0..<350 { _ = try await client.commit([.n("c\(1_000 + number)", "a", 1)]) }
            _ = try await client.commit([.set("c1000/a/sub/b", [:])])
            #expect(try await client.collectionIDs(under: nil).count == 350)
            #expect(try await client.collectionIDs(under: "c1000/a") == ["sub"])
            try await client.fill("many", 300)
            let cursors = try await client.partitions(of: .collectionGroup("many"), count: 3)
            #expect(!cursors.isEmpty && cursors.count <= 3)
        }

        /// More than the windows of the connection hold, by a reader that begins late.
        @Test func largeResults() async throws {
            let text = Value.string(Text(String(repeating: "x", count: 20_000)))
            for start in 0..<10 {
                _ = try await client.commit(
                    (0..<20).map { .set(DocumentPath("c", "d\(start * 20 + $0)"), Fields([Field("text", text)])!) })
            }
            let rows = try await client.rows(of: .collection("c"))
            // Other calls go on meanwhile.
            #expect(try await client.documents(at: [DocumentPath("c", "d0")])[0].isFound)
            var count = 0
            while let row = try await rows.next() {
                #expect(row.value("text") == text)
                count += 1
            }
            #expect(count == 200)
        }

        @Test func cancelledCalls() async throws {
            try await client.fill("c", 10)
            let task = Task {
                do throws(SyncError) {
                    let rows = try await client.rows(of: .collection("c"))
                    while !Task.isCancelled { await Task.yield() }
                    while try await rows.next() != nil {}
                    return nil as SyncError?
                } catch {
                    return error
                }
            }
            task.cancel()
            // It ends, in one way or the other: all rows may have come before.
            let error = await task.value
            #expect(error == nil || error?.code == .cancelled)
            #expect(try await client.documents(of: .collection("c")).count == 10)
        }
    }
#endif
