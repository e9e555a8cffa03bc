// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Hearth

/// Queries that people find slow on the official emulator: a collection group of 35,000 documents, over its REST interface.
///
/// The emulator keeps documents in memory and answers over HTTP, Hearth reads a file within the process: the rows say what a
/// test suite or a local server gains, not how two databases compare.
enum EmulatorSuite {
    static func run(_ bench: Bench) throws {
        let names = ["point read", "equality, order, limit 10", "range, limit 20", "array-contains-any, limit 20"]
            .map { "emulator: \($0)" }
        guard names.contains(where: { bench.wants($0, of: "emulator") }) else { return }
        guard let emulator = try EmulatorProcess(memory: "2g") else {
            return print("\nThe official emulator is not installed: its rows are left out.")
        }
        let dataset = Comments.dataset(bench.size ?? 35_000)
        bench.report.heading("Beside the official emulator: \(dataset.count) comments of one collection group")
        let path = bench.folder.appending(path: "emulator.db").path
        try HearthEngine.load(dataset, into: path)
        let database = try Database.open(path: path)
        try fill(emulator, dataset)
        for (name, question) in zip(names, questions(dataset)) where bench.wants(name, of: "emulator") {
            var contest = Contest(
                name: name, size: dataset.count,
                contenders: [
                    contender("Hearth") { try question.hearth(database, $0) },
                    contender("emulator") { try sumOfScores(try ask(emulator, question.path($0), question.body($0))) },
                ])
            contest.rounds = 3
            bench.report.add(try contest.measure())
        }
    }

    /// What names of documents begin with.
    private static let documents = "projects/benchmarks/databases/(default)/documents"

    private struct Question {
        let hearth: (Database, Int) throws -> Int64
        let path: (Int) -> String
        let body: (Int) -> String?
    }

    private static func questions(_ dataset: Dataset) -> [Question] {
        let names = (0..<64).map { number in
            let document = dataset.document(number * dataset.count / 64)
            return "\(document.parent)/\(dataset.collection)/\(document.id)"
        }
        let point = Question(
            hearth: { Int64(try $0.document(names[$1]).sync.getDocument().get("score", as: Int.self) ?? 0) },
            path: { "v1/\(EmulatorSuite.documents)/\(names[$0])" }, body: { _ in nil })
        let author = { Comments.author($0 * 5, of: dataset.count) }
        let ofAuthor = query(
            {
                "{\"fieldFilter\":{\"field\":{\"fieldPath\":\"author\"},\"op\":\"EQUAL\",\"value\":{\"stringValue\":\"\(author($0))\"}}}"
            },
            order: "created", descending: true, limit: 10
        ) { $0.whereField("author", isEqualTo: author($1)).order(by: "created", descending: true).limit(to: 10) }
        let fromScore = query(
            {
                "{\"fieldFilter\":{\"field\":{\"fieldPath\":\"score\"},\"op\":\"GREATER_THAN_OR_EQUAL\",\"value\":{\"integerValue\":\"\($0)\"}}}"
            },
            order: "score", descending: false, limit: 20
        ) { $0.whereField("score", isGreaterThanOrEqualTo: $1).order(by: "score").limit(to: 20) }
        let labels = { (number: Int) in (0..<10).map { "label-\((number * 3 + $0 * 17) % Comments.labelCount)" } }
        let ofLabels = query(
            {
                let values = labels($0).map { "{\"stringValue\":\"\($0)\"}" }.joined(separator: ",")
                return
                    "{\"fieldFilter\":{\"field\":{\"fieldPath\":\"labels\"},\"op\":\"ARRAY_CONTAINS_ANY\",\"value\":{\"arrayValue\":{\"values\":[\(values)]}}}}"
            }, order: "__name__", descending: false, limit: 20
        ) { $0.whereField("labels", arrayContainsAny: labels($1)).limit(to: 20) }
        return [point, ofAuthor, fromScore, ofLabels]
    }

    private static func query(
        _ filter: @escaping (Int) -> String, order: String, descending: Bool, limit: Int,
        _ hearth: @escaping (Query, Int) -> Query
    ) -> Question {
        let direction = descending ? "DESCENDING" : "ASCENDING"
        return Question(
            hearth: { database, number in
                let query = hearth(database.collectionGroup("comments"), number)
                return try query.sync.getDocuments().documents.reduce(0) {
                    $0 + Int64(try $1.get("score", as: Int.self) ?? 0)
                }
            },
            path: { _ in "v1/\(EmulatorSuite.documents):runQuery" },
            body: { number in
                """
                {"structuredQuery":{"from":[{"collectionId":"comments","allDescendants":true}],"where":\(filter(number)),\
                "orderBy":[{"field":{"fieldPath":"\(order)"},"direction":"\(direction)"}],"limit":\(limit)}}
                """
            })
    }

    private static func contender(_ name: String, _ body: @escaping (Int) throws -> Int64) -> Contest.Contender {
        Contest.Contender(name: name) { repetitions in
            var sum: Int64 = 0
            for number in 0..<repetitions { sum &+= try body(number % 64) }
            return sum
        }
    }

    private static func fill(_ emulator: EmulatorProcess, _ dataset: Dataset) throws {
        for start in stride(from: 0, to: dataset.count, by: 500) {
            let writes = (start..<min(start + 500, dataset.count)).map { index in
                let document = dataset.document(index)
                var fields: [UInt8] = []
                Plain.appendREST(document.fields, to: &fields)
                let name = "\(EmulatorSuite.documents)/\(document.parent)/\(dataset.collection)/\(document.id)"
                return "{\"update\":{\"name\":\"\(name)\",\(String(decoding: fields.dropFirst(), as: UTF8.self))}"
            }
            let body = "{\"writes\":[\(writes.joined(separator: ","))]}"
            _ = try ask(emulator, "v1/\(EmulatorSuite.documents):commit", body)
        }
    }

    /// What the emulator answers: a POST with a body, a GET without.
    private static func ask(_ emulator: EmulatorProcess, _ path: String, _ body: String?) throws -> Data {
        let (status, answer) = try emulator.send(body == nil ? "GET" : "POST", path, body.map { Data($0.utf8) })
        guard status == 200 else {
            throw BenchmarkError("the emulator answers \(status): \(String(decoding: answer, as: UTF8.self))")
        }
        return answer
    }

    /// Of one document, or of the documents of a query's answer.
    private static func sumOfScores(_ answer: Data) throws -> Int64 {
        let json = try JSONSerialization.jsonObject(with: answer)
        let rows = json as? [[String: Any]] ?? [["document": json]]
        return rows.reduce(0) { sum, row in
            let fields = (row["document"] as? [String: Any])?["fields"] as? [String: Any]
            let score = (fields?["score"] as? [String: Any])?["integerValue"] as? String
            return sum + (score.flatMap { Int64($0) } ?? 0)
        }
    }
}
