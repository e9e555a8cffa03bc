// SPDX-License-Identifier: Apache-2.0

import DocumentEngine
import DocumentModel
import Glibc
import LMDB
import QueryPlanner
import StorageWorkload

/// A database, and its answers while it is intact.
struct DamageSubject {
    static let same: Int32 = 0
    static let differs: Int32 = 1
    static let failed: Int32 = 2
    static let wrong: Int32 = 3

    private let documents: [DocumentPath: Fields]
    /// Unreferenced pages still hold them, and damage may lead there.
    private let written: WrittenDocuments
    private let answers: [(query: Query, names: [DocumentPath])]

    private static let queries = [
        "w0", "collectionGroup('c')", "w0.where('a','>=',1)", "w0.orderBy('s','desc')",
        "w0.where('tags','array-contains',1)",
        "collectionGroup('c').where('a','==',1).orderBy('s','desc')", "w0.where('a','==',1).where('b','==',2)",
    ]

    init(making path: String, seed: UInt64) throws {
        let workload = Workload(seed: seed, appliesIndexes: true)
        let engine = try DamageSubject.open(path, readOnly: false)
        let steps = 30
        for number in 1...steps { try workload.run(number, writer: 0, on: engine) }
        written = WrittenDocuments(workload, steps: steps)
        // After that, both headers of the file belong to states with the same documents.
        for number in 1...3 {
            let fields = Fields([Field("n", .integer(Int64(number)))])!
            _ = try engine.commit([.set(Workload.progress(0), fields)])
        }
        documents = try DamageSubject.documents(engine)
        let database = engine.database
        answers = try DamageSubject.queries.compactMap { text in
            let query = try QueryText.parse(text, database: database).query
            return (try? engine.run(query).documents).map { (query, $0.map(\.path)) }
        }
    }

    static func open(_ path: String, readOnly: Bool) throws(EngineError) -> Engine {
        var options = Engine.Options()
        options.mapSize = 1 << 22
        options.durability = .mayLoseDatabase
        options.readOnly = readOnly
        return try Engine.open(path, options)
    }

    private static func documents(_ engine: Engine) throws(EngineError) -> [DocumentPath: Fields] {
        var documents: [DocumentPath: Fields] = [:]
        try engine.forEachDocument { documents[$0.path] = $0.fields }
        return documents
    }

    static func verify(_ path: String) -> Int32 {
        do throws(EngineError) {
            return try Engine.verify(fileAt: path).problemCount == 0 ? same : differs
        } catch {
            return failed
        }
    }

    static func copy(_ path: String, to copy: String, compacting: Bool) -> Int32 {
        defer { for name in [copy, copy + "-lock"] { unlink(name) } }
        do throws(EngineError) {
            try DamageSubject.open(path, readOnly: true).copy(to: copy, compacting: compacting)
            return same
        } catch {
            return access(copy, F_OK) == 0 ? wrong : failed
        }
    }

    /// Reads every document by its name, then all of them, then through indexes.
    func read(_ path: String) -> Int32 {
        let engine: Engine
        do { engine = try DamageSubject.open(path, readOnly: true) } catch { return Self.failed }
        var result = Self.same
        for name in documents.keys {
            do throws(EngineError) {
                let document = try engine.document(name)
                result = max(result, document.map(judge) ?? Self.differs)
            } catch {
                result = max(result, Self.failed)
            }
            result = max(result, readAtOnce(engine, name))
        }
        do throws(EngineError) {
            var count = 0
            try engine.forEachDocument { document in
                count += 1
                result = max(result, judge(document))
            }
            if count != documents.count { result = max(result, Self.differs) }
        } catch {
            result = max(result, Self.failed)
        }
        for (query, names) in answers { result = max(result, ask(engine, query, names)) }
        return result
    }

    /// As the library begins an awaited read.
    private func readAtOnce(_ engine: Engine, _ name: DocumentPath) -> Int32 {
        do throws(EngineError) {
            // No answer at all: the read would have to wait.
            guard let found = try engine.recordAtOnce(name, { $0 }) else { return Self.same }
            guard let record = found else { return Self.differs }
            guard let document = try? record.document() else { return Self.wrong }
            return judge(document)
        } catch {
            return Self.failed
        }
    }

    private func ask(_ engine: Engine, _ query: Query, _ names: [DocumentPath]) -> Int32 {
        do throws(QueryError) {
            let documents = try engine.run(query).documents
            // As the library reads them, several at once.
            for record in try engine.records(query) {
                guard let document = try? record.document() else { return Self.wrong }
                if judge(document) == Self.wrong { return Self.wrong }
            }
            let worst = documents.map(judge).max() ?? Self.same
            return max(worst, documents.map(\.path) == names ? Self.same : Self.differs)
        } catch {
            return Self.failed
        }
    }

    private func judge(_ document: Document) -> Int32 {
        let isCurrent =
            document.path == Workload.progress(0)
            || documents[document.path].map { document.fields.isIdentical(to: $0) } ?? false
        if isCurrent { return Self.same }
        return written.contains(document) ? Self.differs : Self.wrong
    }
}
