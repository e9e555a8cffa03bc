// SPDX-License-Identifier: Apache-2.0
import LMDB
import TestSupport
import Testing

/// Random work against a sorted array that knows nothing of trees. In every second round LMDB reads the pages.
@Suite struct ModelTests {
    @Test(arguments: 0..<Rounds.of(12)) func randomWorkMatchesASortedArray(round: Int) throws {
        let readsPages = round % 2 == 0
        var random = SeededGenerator.printingSeed()
        let folder = try TemporaryDirectory()
        var environment: Environment? = try .openForTest(folder.database, mapSize: 1 << 16, readsPages: readsPages)
        var stores = try environment!.openStores(["a", "b"], create: true)
        var models = [Model(), Model()]
        for _ in 0..<25 {
            try write(environment!, stores, &models, &random)
            if Int.random(in: 0..<5, using: &random) == 0 {
                environment = nil
                environment = try .openForTest(folder.database, mapSize: 1 << 16, readsPages: readsPages)
                stores = try environment!.openStores(["a", "b"], create: false)
            }
            for (store, model) in zip(stores, models) {
                try check(environment!, store, model)
                try wander(environment!, store, model, &random)
            }
        }
    }

    private func write(
        _ environment: Environment, _ stores: [Store], _ models: inout [Model], _ random: inout SeededGenerator
    ) throws {
        let before = models
        do {
            try environment.write { (transaction: inout WriteTransaction) throws(TestFailure) in
                models = before
                try work(&transaction, stores, &models, &random)
            }
        } catch {
            guard case .undo = error else { throw error }
            models = before
        }
    }

    private func work(
        _ transaction: inout WriteTransaction, _ stores: [Store], _ models: inout [Model],
        _ random: inout SeededGenerator
    ) throws(TestFailure) {
        for _ in 0..<Int.random(in: 1...30, using: &random) {
            let index = Int.random(in: 0...1, using: &random)
            switch Int.random(in: 0..<100, using: &random) {
            case 0:
                try failing { () throws(LMDBError) in try transaction.empty(stores[index]) }
                models[index].entries = []
            case 1: throw .undo
            case 2..<30: try walk(&transaction, stores[index], &models[index], &random)
            case 30..<60: try delete(&transaction, stores[index], &models[index], &random)
            default: try put(&transaction, stores[index], &models[index], &random)
            }
        }
    }

    private func put(
        _ transaction: inout WriteTransaction, _ store: Store, _ model: inout Model, _ random: inout SeededGenerator
    ) throws(TestFailure) {
        for _ in 0..<Int.random(in: 1...20, using: &random) {
            let (key, value) = (model.anyKey(&random), Model.anyValue(&random))
            try failing { () throws(LMDBError) in try transaction.put(store, key.span.bytes, value.span.bytes) }
            model.put(key, value)
        }
    }

    private func delete(
        _ transaction: inout WriteTransaction, _ store: Store, _ model: inout Model, _ random: inout SeededGenerator
    ) throws(TestFailure) {
        for _ in 0..<Int.random(in: 1...20, using: &random) {
            let key = model.anyKey(&random)
            let isDeleted = try failing { () throws(LMDBError) in try transaction.delete(store, key.span.bytes) }
            #expect(isDeleted == model.delete(key), "seed \(random.seed)")
        }
    }

    /// Several cursors of one set move and change the store in turn.
    private func walk(
        _ transaction: inout WriteTransaction, _ store: Store, _ model: inout Model, _ random: inout SeededGenerator
    ) throws(TestFailure) {
        var cursors = transaction.makeCursors()
        var places: [(id: CursorID, place: Model.Place)] = []
        for _ in 0..<60 {
            if places.isEmpty || (places.count < 4 && Int.random(in: 0..<10, using: &random) == 0) {
                places.append((try failing { () throws(LMDBError) in try cursors.open(store) }, .unplaced))
            }
            let turn = Int.random(in: places.indices, using: &random)
            try step(&cursors, places[turn].id, turn, &places, &model, &random)
            for (id, place) in places {
                guard case .at(let key) = place else {
                    let isAtEntry = cursors.isAtEntry(id)
                    #expect(!isAtEntry, "seed \(random.seed)")
                    continue
                }
                let entry = (key: Array(copying: cursors.key(id)), value: Array(copying: cursors.value(id)))
                #expect(entry.key == key, "seed \(random.seed)")
                #expect((entry.value == model.get(key)) as Bool, "seed \(random.seed)")
            }
            if Int.random(in: 0..<20, using: &random) == 0 { cursors.close(places.removeLast().id) }
        }
    }

    private func step(
        _ cursors: inout CursorSet, _ id: CursorID, _ turn: Int, _ places: inout [(id: CursorID, place: Model.Place)],
        _ model: inout Model, _ random: inout SeededGenerator
    ) throws(TestFailure) {
        let place = places[turn].place
        let key = model.anyKey(&random)
        do {
            let isFound: Bool
            switch Int.random(in: 0..<18, using: &random) {
            case 0:
                isFound = try cursors.first(id)
                places[turn].place = model.first
            case 1:
                isFound = try cursors.last(id)
                places[turn].place = model.last
            case 2..<5:
                isFound = try cursors.seek(id, key.span.bytes)
                places[turn].place = model.seek(key)
            case 5..<8:
                isFound = try cursors.next(id)
                places[turn].place = model.after(place)
            case 8..<11:
                isFound = try cursors.previous(id)
                places[turn].place = model.before(place)
            case 11..<13:
                let value = Model.anyValue(&random)
                try cursors.put(id, key: key.span.bytes, value: value.span.bytes)
                model.put(key, value)
                places[turn].place = .at(key)
                return
            case 16:
                try putMany(&cursors, id, &model, &random)
                places[turn].place = .unplaced
                return
            case 17:
                let isDeleted = try cursors.delete(id, key: key.span.bytes)
                #expect(isDeleted == model.delete(key), "seed \(random.seed)")
                for index in places.indices where places[index].place == .at(key) {
                    places[index].place = .deleted(key)
                }
                places[turn].place = .unplaced
                return
            default:
                guard case .at(let current) = place else { return }
                try cursors.delete(id)
                _ = model.delete(current)
                for index in places.indices where places[index].place == .at(current) {
                    places[index].place = .deleted(current)
                }
                return
            }
            #expect(isFound == places[turn].place.isEntry, "seed \(random.seed)")
        } catch {
            throw .store(error)
        }
    }

    /// Mostly in key order, for which it is made.
    private func putMany(
        _ cursors: inout CursorSet, _ id: CursorID, _ model: inout Model, _ random: inout SeededGenerator
    ) throws(LMDBError) {
        var entries: [(key: [UInt8], value: [UInt8])] = []
        for _ in 0..<Int.random(in: 0...100, using: &random) {
            entries.append((model.anyKey(&random), Model.anyValue(&random)))
        }
        if Int.random(in: 0..<4, using: &random) > 0 { entries.sort { [UInt8].before($0.key, $1.key) } }
        var bytes: [UInt8] = []
        var places: [(key: Range<Int>, value: Range<Int>)] = []
        for (key, value) in entries {
            let start = bytes.count
            bytes += key + value
            places.append((start..<start + key.count, start + key.count..<bytes.count))
            model.put(key, value)
        }
        try cursors.put(id, places.count, in: bytes.span.bytes) { places[$0] }
    }

    /// Random moves in a read, which steps within pages, and counts them.
    private func wander(
        _ environment: Environment, _ store: Store, _ model: Model, _ random: inout SeededGenerator
    ) throws {
        try environment.read { (transaction: borrowing ReadTransaction) throws(LMDBError) in
            var cursors = transaction.makeCursors()
            var places: [(id: CursorID, place: Model.Place)] = []
            for _ in 0..<3 { places.append((try cursors.open(store), .unplaced)) }
            for _ in 0..<80 {
                let turn = Int.random(in: places.indices, using: &random)
                let (id, place) = places[turn]
                let key = model.anyKey(&random)
                var isFound = true
                switch Int.random(in: 0..<16, using: &random) {
                case 0: (isFound, places[turn].place) = (try cursors.first(id), model.first)
                case 1: (isFound, places[turn].place) = (try cursors.last(id), model.last)
                case 2..<4: (isFound, places[turn].place) = (try cursors.seek(id, key.span.bytes), model.seek(key))
                case 4..<8: (isFound, places[turn].place) = (try cursors.next(id), model.after(place))
                case 8..<12: (isFound, places[turn].place) = (try cursors.previous(id), model.before(place))
                default:
                    guard place.isEntry else { continue }
                    let bound = Bool.random(using: &random) ? key : []
                    let length = [8, 1_000].randomElement(using: &random)!
                    let limit = Int.random(in: 0...40, using: &random)
                    let expected = model.advance(place, below: bound, shorterThan: length, atMost: limit)
                    let steps = try cursors.advance(id, below: bound.span.bytes, shorterThan: length, atMost: limit)
                    #expect(steps == expected.steps, "seed \(random.seed)")
                    places[turn].place = expected.place
                }
                #expect(isFound == places[turn].place.isEntry, "seed \(random.seed)")
                for (id, place) in places {
                    guard case .at(let key) = place else { continue }
                    let entry = (key: Array(copying: cursors.key(id)), value: Array(copying: cursors.value(id)))
                    #expect(entry.key == key, "seed \(random.seed)")
                    #expect((entry.value == model.get(key)) as Bool, "seed \(random.seed)")
                }
            }
        }
    }

    private func check(_ environment: Environment, _ store: Store, _ model: Model) throws {
        try environment.read { (transaction: borrowing ReadTransaction) throws(LMDBError) in
            var cursors = transaction.makeCursors()
            let cursor = try cursors.open(store)
            for (key, value) in model.entries {
                guard try cursors.next(cursor) else { return #expect(Bool(false), "an entry is missing") }
                let entry = (key: Array(copying: cursors.key(cursor)), value: Array(copying: cursors.value(cursor)))
                #expect(entry.key == key)
                #expect(entry.value == value)
                guard let found = try transaction.get(store, key.span.bytes) else {
                    Issue.record("a stored key was not found")
                    continue
                }
                #expect(Array(copying: found) == value)
            }
            let isMore = try cursors.next(cursor)
            #expect(!isMore)
            let entries = try transaction.statistics(of: store).entries
            #expect(entries == model.entries.count)
        }
    }
}

enum TestFailure: LMDBErrorConvertible {
    case undo
    case store(LMDBError)
    init(_ error: LMDBError) { self = .store(error) }
}

func failing<R>(_ body: () throws(LMDBError) -> R) throws(TestFailure) -> R {
    do { return try body() } catch { throw .store(error) }
}
