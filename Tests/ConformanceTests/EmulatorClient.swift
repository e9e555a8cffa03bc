// SPDX-License-Identifier: Apache-2.0

import DocumentModel
import Foundation
import IndexCatalog
import JSONText
import QueryPlanner

/// The requests that the tests send to the emulator, or to Hearth's server.
struct EmulatorClient {
    /// Sends a request with this method, path and body, and returns the response, whatever its status.
    let send: (_ method: String, _ path: String, _ body: Data?) throws -> (status: Int, body: Data)

    /// Replaces the emulator's documents by these, except those that it refuses.
    /// - Returns: the refused documents, with its messages.
    func replaceDocuments(
        _ documents: [DocumentPath: Fields], in database: DatabaseID
    ) throws -> [DocumentPath: String] {
        _ = try checked(send("DELETE", "emulator/v1/\(database.resourceName)/documents", nil))
        return try addDocuments(documents, to: database)
    }

    /// Writes documents, except those that the emulator refuses.
    /// - Returns: the refused documents, with its messages.
    func addDocuments(_ documents: [DocumentPath: Fields], to database: DatabaseID) throws -> [DocumentPath: String] {
        guard try refusal(ofWriting: documents, in: database) != nil else { return [:] }
        var refused: [DocumentPath: String] = [:]
        for (path, fields) in documents {
            refused[path] = try refusal(ofWriting: [path: fields], in: database)
        }
        return refused
    }

    /// Writes the documents atomically.
    private func refusal(ofWriting documents: [DocumentPath: Fields], in database: DatabaseID) throws -> String? {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("writes")
        writer.beginArray()
        for (path, fields) in documents {
            writer.beginObject()
            writer.key("update")
            writer.beginObject()
            writer.key("name")
            writer.string(Reference(database: database, path: path.resource).resourceName)
            writer.key("fields")
            ValueJSON.writeFields(fields, to: &writer, database: EmulatorClient.nowhere)
            writer.endObject()
            writer.endObject()
        }
        writer.endArray()
        writer.endObject()
        let response = try send("POST", "v1/\(database.resourceName)/documents:commit", Data(writer.bytes))
        guard case .refused(_, let message) = try Answer(emulator: response.body) else { return nil }
        return message
    }

    /// The emulator's answer to a query. `limitToLast` is the client's task: see ``Query/sent``.
    func run(_ request: QueryRequest, in database: DatabaseID) throws -> Answer {
        var parent = "documents"
        if let path = request.query.parent { parent += "/\(path)" }
        var writer = JSONWriter()
        QueryJSON.write(request.with { $0 = $0.sent }, to: &writer, database: EmulatorClient.nowhere)
        let response = try send(
            "POST", "v1/\(database.resourceName)/\(parent):\(request.method)", Data(writer.bytes))
        do {
            let answer = try Answer(emulator: response.body)
            return request.query.limitToLast ? answer.reversed : answer
        } catch {
            throw EmulatorFailure("\(error): \(String(decoding: response.body, as: UTF8.self))")
        }
    }

    /// The composite indexes that the emulator reports for the queries run so far; nil if its report fails.
    func indexUsage(of database: DatabaseID) throws -> [[String: Any]]? {
        let path = "emulator/v1/projects/\(database.project):indexUsage?database=\(database.resourceName)"
        let response = try send("GET", path, nil)
        if response.status == 500 { return nil }
        let report = try JSONSerialization.jsonObject(with: try checked(response)) as? [String: Any]
        return (report?["reports"] as? [[String: Any]] ?? []).compactMap { $0["index"] as? [String: Any] }
    }

    /// Every reference is foreign to this database, and so is written in full.
    private static let nowhere = DatabaseID(project: "")

    private func checked(_ response: (status: Int, body: Data)) throws -> Data {
        guard response.status == 200 else {
            throw EmulatorFailure("status \(response.status): \(String(decoding: response.body, as: UTF8.self))")
        }
        return response.body
    }
}

extension QueryRequest {
    fileprivate var method: String {
        switch self {
        case .documents: "runQuery"
        case .aggregation: "runAggregationQuery"
        }
    }
}

extension Query {
    /// The query as a client sends it: `limitToLast` is the first rows of the reversed order, which the client
    /// reverses again. The parent is in the URL.
    var sent: Query {
        var query = self
        query.parent = nil
        guard limitToLast else { return query }
        query.limitToLast = false
        query.orders = orders.map { Order($0.path, $0.direction.reversed) }
        query.start = end.map { Cursor($0.values, before: !$0.before) }
        query.end = start.map { Cursor($0.values, before: !$0.before) }
        return query
    }
}
