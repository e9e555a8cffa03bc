// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Hearth

/// Hearth as a Swift program uses it: the public interface in its blocking form, references and queries made anew each time.
struct HearthEngine: ReadEngine {
    let name = "Hearth"
    let database: Database
    let dataset: Dataset

    /// Opens what ``load(_:into:)`` made.
    init(_ dataset: Dataset, at path: String) throws {
        database = try Database.open(path: path)
        self.dataset = dataset
    }

    /// Makes the database file from a file of documents, which is made first and removed again.
    static func load(_ dataset: Dataset, into path: String) throws {
        let file = URL(filePath: path + ".ndjson")
        try write(dataset, to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let database = try Database.open(path: path)
        try database.sync.setIndexConfiguration(dataset.indexConfiguration)
        try importAll(dataset, from: file, into: database)
    }

    static func write(_ dataset: Dataset, to file: URL) throws {
        try Data().write(to: file)
        try writeLines(of: dataset, to: file)
    }

    /// Writes the documents to a file that exists, or to a pipe.
    private static func writeLines(of dataset: Dataset, to file: URL) throws {
        let handle = try FileHandle(forWritingTo: file)
        defer { try? handle.close() }
        var text: [UInt8] = []
        for index in 0..<dataset.count {
            let document = dataset.document(index)
            let parent = document.parent.isEmpty ? "" : document.parent + "/"
            text += Array("{\"name\":\"\(parent)\(dataset.collection)/\(document.id)\",".utf8)
            var fields: [UInt8] = []
            Plain.appendREST(document.fields, to: &fields)
            text += fields.dropFirst()
            text.append(UInt8(ascii: "\n"))
            if text.count > 1 << 20 || index == dataset.count - 1 {
                try handle.write(contentsOf: Data(text))
                text.removeAll(keepingCapacity: true)
            }
        }
    }

    /// Makes the database file from documents that another thread makes meanwhile, so that no file of lines is needed.
    static func loadThroughPipe(_ dataset: Dataset, into path: String) throws {
        let pipe = URL(filePath: path + ".pipe")
        guard mkfifo(pipe.path, 0o600) == 0 else { throw BenchmarkError("\(pipe.path) cannot be made") }
        defer { try? FileManager.default.removeItem(at: pipe) }
        // An import that fails closes the pipe and throws its own error.
        signal(SIGPIPE, SIG_IGN)
        Thread.detachNewThread { try? writeLines(of: dataset, to: pipe) }
        let database = try Database.open(path: path)
        try database.sync.setIndexConfiguration(dataset.indexConfiguration)
        try importAll(dataset, from: pipe, into: database)
    }

    private static func importAll(_ dataset: Dataset, from file: URL, into database: Database) throws {
        let summary = try database.sync.importDocuments(from: file)
        guard summary.imported == dataset.count else {
            throw BenchmarkError(
                "Hearth imported \(summary.imported) of \(dataset.count) documents: \(summary.rejections)")
        }
    }

    func prepare(_ operation: Operation) throws -> ((_ parameters: Int, _ answer: inout Answer) throws -> Void)? {
        let parameters = operation.parameters.map { $0.map(\.firestore) }
        let field = operation.uses
        switch operation.kind {
        case .point:
            let collection = database.collection(dataset.collection)
            return { index, answer in
                let id = parameters[index][0] as! String
                let document = try collection.document(id).sync.getDocument()
                guard let value = try document.get(field, as: Int.self) else { return }
                answer.count += 1
                answer.sum += Int64(value)
                if answer.keepsIDs { answer.ids.append(document.documentID) }
            }
        case .documents:
            return { index, answer in
                for document in try query(operation, parameters[index]).sync.getDocuments().documents {
                    answer.count += 1
                    answer.sum += Int64(try document.get(field, as: Int.self) ?? 0)
                    if answer.keepsIDs { answer.ids.append(document.documentID) }
                }
            }
        case .count:
            return { index, answer in
                answer.count += try query(operation, parameters[index]).count.sync.getAggregation().count.int64Value
            }
        case .sum(let field):
            return { index, answer in
                let aggregate = query(operation, parameters[index]).aggregate([.sum(field)])
                answer.sum += (try aggregate.sync.getAggregation().get(.sum(field)) as? NSNumber)?.int64Value ?? 0
            }
        }
    }

    private func query(_ operation: Operation, _ parameters: [Any]) -> Query {
        var query =
            dataset.isGroup ? database.collectionGroup(dataset.collection) : database.collection(dataset.collection)
        var next = 0
        for filter in operation.filters {
            switch filter.comparison {
            case .equal: query = query.whereField(filter.field, isEqualTo: parameters[next])
            case .atLeast: query = query.whereField(filter.field, isGreaterThanOrEqualTo: parameters[next])
            case .below: query = query.whereField(filter.field, isLessThan: parameters[next])
            case .contains: query = query.whereField(filter.field, arrayContains: parameters[next])
            case .among(let count):
                query = query.whereField(filter.field, in: Array(parameters[next..<next + count]))
                next += count - 1
            }
            next += 1
        }
        for order in operation.order { query = query.order(by: order.field, descending: order.descending) }
        if operation.startsAfter {
            if operation.order.isEmpty { query = query.order(by: FieldPath.documentID()) }
            query = query.start(after: [parameters[next]])
        }
        return operation.limit.map { query.limit(to: $0) } ?? query
    }
}
