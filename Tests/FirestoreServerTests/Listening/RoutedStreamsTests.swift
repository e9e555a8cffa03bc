// SPDX-License-Identifier: Apache-2.0

#if Server
    import DocumentModel
    import QueryPlanner
    import TestSupport
    import Testing

    @testable import FirestoreServer

    /// What streams have to read.
    @Suite struct RoutedStreamsTests {
        private final class Name {}

        private let name = Name()
        private var streams = RoutedStreams()
        private var stream: ObjectIdentifier { ObjectIdentifier(name) }

        private func token(_ time: Int64, _ incarnation: UInt64 = 1) -> ResumeToken {
            ResumeToken(incarnation: incarnation, time: Timestamp(microseconds: time)!)
        }

        private func change(_ path: DocumentPath) -> RoutedChange {
            let time = Timestamp(microseconds: 1)!
            return RoutedChange(
                path: path, old: nil, new: Document(path: path, fields: [:], createTime: time, updateTime: time))
        }

        @Test mutating func aStreamReadsFromTheFirstBatchThatConcernsIt() {
            streams.add(stream, at: token(10)) {}
            #expect(streams.take(stream) == token(10))
            #expect(streams.add(1, .documents(["c/a"]), to: stream) != nil)
            #expect(streams.isDue(stream))
            // What was routed before knew nothing of the target.
            #expect(streams.take(stream) == nil)
            #expect(streams.route([change("c/b")], upTo: token(20)).isEmpty && !streams.isDue(stream))
            #expect(streams.route([change("c/a")], upTo: token(30)).count == 1)
            #expect(streams.route([change("c/a")], upTo: token(40)).isEmpty)
            #expect(streams.take(stream) == token(20))
            #expect(streams.take(stream) == token(40))
        }

        /// What nobody listens to need not be looked up.
        @Test mutating func whatMayConcernAnybody() throws {
            streams.add(stream, at: token(10)) {}
            #expect(concerned() == [])
            _ = streams.add(1, .documents(["c/a"]), to: stream)
            #expect(concerned() == ["c/a"])
            _ = streams.add(2, try interest(.collectionGroup("g")), to: stream)
            #expect(concerned() == ["c/a", "x/y/g/a"])
            _ = streams.add(3, try interest(.collection("c")), to: stream)
            #expect(concerned() == ["c/a", "c/b", "x/y/g/a"])
            _ = streams.add(4, .everything, to: stream)
            #expect(concerned().count == 4)
            for id in 2...4 as ClosedRange<Int32> { streams.remove(id, of: stream) }
            #expect(concerned() == ["c/a"])
            streams.remove(stream)
            #expect(concerned() == [])
        }

        private func concerned() -> [DocumentPath] {
            (["c/a", "c/b", "x/y/g/a", "x/y/h/a"] as [DocumentPath]).filter { streams.mayConcern($0) }
        }

        private func interest(_ query: Query) throws -> ListenerInterest {
            ListenerInterest(try Normalizer.normalize(query, database: DatabaseID(project: "p")))
        }

        @Test mutating func everythingOutweighsABatch() {
            streams.add(stream, at: token(10)) {}
            _ = streams.add(1, .documents(["c/a"]), to: stream)
            _ = streams.take(stream)
            #expect(streams.route([change("c/a")], upTo: token(20)).count == 1)
            #expect(streams.skip(to: token(30, 2)).isEmpty)
            #expect(streams.take(stream) == nil)
            #expect(streams.take(stream) == token(30, 2))
            #expect(streams.skip(to: nil).count == 1)
            #expect(streams.route([change("c/a")], upTo: token(40, 2)).isEmpty)
            #expect(streams.take(stream) == nil)
        }

        @Test mutating func theFirstStreamSaysFromWhenOn() {
            let other = Name()
            #expect(streams.routed == nil && streams.skip(to: token(5)).isEmpty && streams.routed == nil)
            streams.add(stream, at: token(10)) {}
            streams.add(ObjectIdentifier(other), at: token(20)) {}
            #expect(streams.routed == token(10))
            streams.remove(stream)
            streams.remove(ObjectIdentifier(other))
            #expect(streams.routed == nil && streams.count == 0)
            streams.add(stream, at: token(30)) {}
            #expect(streams.routed == token(30))
        }
    }
#endif
