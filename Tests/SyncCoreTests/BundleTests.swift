// SPDX-License-Identifier: Apache-2.0

import DocumentModel
import QueryPlanner
import SyncCore
import TestSupport
import Testing

/// What of a bundle reaches the replica, and which bundles are refused.
@Suite struct BundleTests {
    private let client = ScriptedClient()

    private func load(_ bytes: [UInt8]) -> [SyncEffect] { client.feed(.loadBundle(bytes, load: 1)) }

    // MARK: Loading

    @Test func progress() {
        var bundle = BundleText()
        bundle.addQuery("all", #"{"from":[{"collectionId":"c"}]}"#)
        bundle.addMetadata("gone", exists: false)
        bundle.addDocument("a")
        let lengths = bundle.elements.map { "\($0.utf8.count)\($0)".utf8.count }
        let total = lengths.reduce(0, +)
        let steps = load(bundle.bytes()).progress
        #expect(steps.map(\.documentsLoaded) == [0, 1, 2, 2])
        #expect(steps.map(\.bytesLoaded) == [0, lengths[0] + lengths[1], total, total])
        #expect(steps.map(\.isComplete) == [false, false, false, true])
        #expect(steps.allSatisfy { $0.totalBytes == total && $0.totalDocuments == 2 })
        // Nothing is read again.
        let again = load(bundle.bytes()).progress
        #expect(again == [steps[3]])
    }

    /// Elements come in any order, but for a document after its metadata. A long first element is no trouble.
    @Test func anyOrder() throws {
        var bundle = BundleText()
        bundle.addDocument("a", #""n":{"integerValue":1}"#, queries: ["q"])
        bundle.addQuery("q", #"{"from":[{"collectionId":"c"}],"orderBy":[{"field":{"fieldPath":"n"}}]}"#)
        bundle.addDocument("b", #""n":{"integerValue":2}"#)
        #expect(load(bundle.bytes(id: String(repeating: "a", count: 5_000))).progress.last?.isComplete == true)
        #expect(try client.cached("a").local.fields == ["n": 1])
        #expect(try client.cached("b").local.fields == ["n": 2])
        let query = try #require(try client.machine.namedQuery("q")).query
        let target = try #require(try client.target(of: query))
        #expect(target.snapshotVersion == Timestamp(microseconds: 5_000_000))
        let keys = try client.replica.look { (records) throws(ReplicaError) in
            try records.keys(of: target.id, atMost: 9)
        }
        #expect(keys == [ScriptedClient.path("a")], "the rows that name the query")
        // A listen goes on from the bundle's time, and begins with its rows.
        let effects = client.listen(query)
        #expect(effects.listens.map(\.readTime) == [Timestamp(microseconds: 5_000_000)])
        #expect(effects.snapshots.first?.documents.map(\.path.id) == ["a", "b"])
    }

    @Test func withoutDocuments() {
        #expect(load(BundleText().bytes()).progress.map(\.isComplete) == [false, true])
    }

    /// A newer bundle of the same name is loaded, an older one is not. Newer documents stay.
    @Test func versions() throws {
        let load = { (n: Int, updated: Int, created: Int) -> [SyncEffect] in
            var bundle = BundleText()
            bundle.addDocument("a", #""n":{"integerValue":\#(n)}"#, updated: updated)
            return self.load(bundle.bytes(created: created))
        }
        let n = { try client.cached("a").local.fields?["n" as Text] }
        _ = load(1, 2, 10)
        _ = load(2, 3, 9)
        #expect(try n() == 1, "an older bundle")
        _ = load(3, 3, 11)
        #expect(try n() == 3)
        _ = load(4, 3, 12)
        #expect(try n() == 3, "a document of the same version")
        _ = load(5, 1, 13)
        #expect(try n() == 3, "an older document")
    }

    /// Pending writes stay on top of what a bundle brings.
    @Test(arguments: [false, true]) func pendingWrites(_ isMerge: Bool) throws {
        let path = ScriptedClient.path("a")
        let transform = FieldTransform("sum", .increment(.integer(1)))
        client.feed(
            .write(
                [
                    Write(
                        path, .update([:], mask: [], transforms: [transform]),
                        precondition: isMerge ? nil : .exists(true))
                ],
                write: 1))
        #expect(try client.cached("a").local.fields == (isMerge ? ["sum": 1] : nil))
        var bundle = BundleText()
        bundle.addDocument("a", #""n":{"integerValue":1},"sum":{"integerValue":10}"#, updated: 2)
        _ = load(bundle.bytes())
        // An increment starts from what was there when it was made.
        #expect(try client.cached("a").local.fields == ["n": 1, "sum": 1])
        #expect(try client.cached("a").base.fields == ["n": 1, "sum": 10])
    }

    /// What a bundle has brought is no more in use than what a query has that nobody listens to any more.
    @Test(arguments: [false, true]) func whatWasLoadedCanBeForgotten(_ isEvicted: Bool) throws {
        let client = ScriptedClient(in: try FileReplica())
        var bundle = BundleText()
        bundle.addQuery("q", #"{"from":[{"collectionId":"c"}],"orderBy":[{"field":{"fieldPath":"n"}}]}"#)
        bundle.addDocument("a", #""n":{"integerValue":1}"#, queries: ["q"])
        bundle.addDocument("b", #""n":{"integerValue":2}"#)
        client.feed(.loadBundle(bundle.bytes(), load: 1))
        let query = try #require(try client.machine.namedQuery("q")).query
        #expect(try client.cached("a").base.isCached && client.cached("b").base.isCached)
        #expect(client.listen(query).listens.map(\.readTime) == [Timestamp(microseconds: 5_000_000)])
        client.feed(.unlisten(listener: 1))
        if isEvicted {
            for id in ["a", "b"] {
                let path = ScriptedClient.path(id)
                #expect(client.feed(.evict(SyncQuery(document: path), call: 2)).answers == [2: .ok])
            }
        } else {
            var input: SyncInput? = .collectGarbage(threshold: 0, percentile: 100)
            while let next = input {
                input = client.feed(next).waits(.collection).last.map { .timer(.collection, ticket: $0.ticket) }
            }
        }
        #expect(try !client.cached("a").base.isCached && !client.cached("b").base.isCached)
        #expect(try client.replica.problems() == [])
        // It is loaded again, but not twice.
        #expect(client.feed(.loadBundle(bundle.bytes(), load: 3)).progress.count == 4)
        #expect(try client.cached("a").base.isCached && client.cached("b").base.isCached)
        #expect(client.feed(.loadBundle(bundle.bytes(), load: 4)).progress.count == 1)
        #expect(try client.replica.problems() == [])
    }

    /// A listener of a bundle's query goes on as one.
    @Test func queriesInUseStayInUse() throws {
        let client = ScriptedClient(in: try FileReplica())
        client.listen(try ScriptedClient.collection())
        var bundle = BundleText()
        bundle.addQuery("q", #"{"from":[{"collectionId":"c"}],"orderBy":[{"field":{"fieldPath":"n"}}]}"#)
        bundle.addDocument("a", #""n":{"integerValue":1}"#, queries: ["q"])
        client.feed(.loadBundle(bundle.bytes(), load: 1))
        client.feed(.collectGarbage(threshold: 0, percentile: 100))
        #expect(try client.cached("a").base.isCached)
        let synced = client.sync([ScriptedClient.document("a", 1, at: 1)], at: 9)
        #expect(synced.snapshots.last?.isFromCache == false)
        #expect(try client.target(of: ScriptedClient.collection())?.resumeToken.isEmpty == false)
    }

    @Test func unknownNames() throws {
        #expect(try client.machine.namedQuery("none") == nil)
    }

    // MARK: Refusals

    /// Nothing of a bundle that cannot be read stays, and the client goes on.
    private func expectRefusal(_ bytes: [UInt8], _ comment: Comment) throws {
        #expect(load(bytes).bundleFailures.map(\.code) == [.invalidArgument], comment)
        #expect(try !client.cached("a").base.isCached, comment)
        #expect(try client.machine.namedQuery("q") == nil, comment)
    }

    @Test func damage() throws {
        var bundle = BundleText()
        bundle.addDocument("a")
        let good = bundle.bytes()
        try expectRefusal(Array(#"{"metadata":"no length"}"#.utf8), "no length")
        try expectRefusal(Array("3abc".utf8), "no object")
        try expectRefusal(Array("5{abc}".utf8), "no JSON")
        try expectRefusal(Array("3{}".utf8), "cut off in the metadata")
        try expectRefusal([], "nothing")
        try expectRefusal(bundle.bytes(tail: "foo"), "something after the last element")
        try expectRefusal(Array(good.dropLast()), "cut off in a document")
        try expectRefusal(bundle.bytes(version: 2), "another version")
        try expectRefusal(bundle.bytes(count: 2), "fewer documents than the metadata say")
        try expectRefusal(bundle.bytes(count: 0), "more documents than the metadata say")
        try expectRefusal(Array("99999999999999999999{}".utf8), "a length that no number holds")
        let first = bundle.elements[1]
        try expectRefusal(Array("\(first.utf8.count)\(first)".utf8), "no metadata first")
    }

    @Test func wrongElements() throws {
        let refuse = { (comment: Comment, build: (inout BundleText) -> Void) in
            var bundle = BundleText()
            build(&bundle)
            try expectRefusal(bundle.bytes(), comment)
        }
        try refuse("a document without metadata") { $0.addContents("a") }
        try refuse("another document than the metadata's") {
            $0.addMetadata("b", exists: true)
            $0.addContents("a")
        }
        try refuse("metadata without the document") { $0.addMetadata("a", exists: true) }
        try refuse("metadata without the document in the middle") {
            $0.addMetadata("b", exists: true)
            $0.addDocument("a")
        }
        try refuse("an unknown element") { $0.elements.append(#"{"other":{}}"#) }
        try refuse("a value of no kind") { $0.addDocument("a", #""n":{"otherValue":1}"#) }
        for project in ["other", "test-project/databases/other/documents/c/a\"}}"] {
            try refuse("a document of another database") {
                $0.addDocument("a")
                $0.elements = $0.elements.map { $0.replacing("test-project", with: project) }
            }
        }
    }
}

extension [SyncEffect] {
    var progress: [BundleProgress] {
        compactMap { if case .bundleProgress(let progress, _) = $0 { progress } else { nil } }
    }

    var bundleFailures: [SyncError] {
        compactMap { if case .bundleFailed(let error, _) = $0 { error } else { nil } }
    }
}
