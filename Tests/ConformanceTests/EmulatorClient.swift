// SPDX-License-Identifier: Apache-2.0

import DocumentModel
import Foundation
import IndexCatalog
import JSONText
import QueryPlanner

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The emulator's REST interface, one request at a time.
final class EmulatorClient: Sendable {
    private let root: URL
    private let session: URLSession

    init(port: UInt16) {
        root = URL(string: "http://127.0.0.1:\(port)/")!
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpMaximumConnectionsPerHost = 1
        // The owner may do everything and is bound by no security rules.
        configuration.httpAdditionalHeaders = ["Authorization": "Bearer owner", "Content-Type": "application/json"]
        session = URLSession(configuration: configuration)
    }

    deinit {
        session.invalidateAndCancel()
    }

    var answers: Bool { (try? send("GET", "")) != nil }

    /// Makes the database hold these documents and no others, but for those that the emulator refuses.
    /// - Returns: the refused ones, with its messages.
    func replaceDocuments(
        _ documents: [DocumentPath: Fields], in database: DatabaseID
    ) throws -> [DocumentPath: String] {
        _ = try checked(send("DELETE", "emulator/v1/\(database.resourceName)/documents"))
        guard try refusal(ofWriting: documents, in: database) != nil else { return [:] }
        var refused: [DocumentPath: String] = [:]
        for (path, fields) in documents {
            refused[path] = try refusal(ofWriting: [path: fields], in: database)
        }
        return refused
    }

    /// Writes all of the documents or none.
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
        let response = try send("POST", "v1/\(database.resourceName)/documents:commit", writer.bytes)
        guard case .refused(_, let message) = try Answer(emulator: response.body) else { return nil }
        return message
    }

    /// What the emulator answers to a query. `limitToLast` is the client's business: see ``Query/sent``.
    func run(_ request: QueryRequest, in database: DatabaseID) throws -> Answer {
        var parent = "documents"
        if let path = request.query.parent { parent += "/\(path)" }
        var writer = JSONWriter()
        QueryJSON.write(request.with { $0 = $0.sent }, to: &writer, database: EmulatorClient.nowhere)
        let response = try send("POST", "v1/\(database.resourceName)/\(parent):\(request.method)", writer.bytes)
        do {
            let answer = try Answer(emulator: response.body)
            return request.query.limitToLast ? answer.reversed : answer
        } catch {
            throw EmulatorFailure("\(error): \(String(decoding: response.body, as: UTF8.self))")
        }
    }

    /// The composite indexes that the emulator says the queries run so far would need; nil where it fails to say so.
    func indexUsage(of database: DatabaseID) throws -> [[String: Any]]? {
        let path = "emulator/v1/projects/\(database.project):indexUsage?database=\(database.resourceName)"
        let response = try send("GET", path)
        if response.status == 500 { return nil }
        let report = try JSONSerialization.jsonObject(with: try checked(response)) as? [String: Any]
        return (report?["reports"] as? [[String: Any]] ?? []).compactMap { $0["index"] as? [String: Any] }
    }

    /// References into every database are written in full if they are foreign to this one.
    private static let nowhere = DatabaseID(project: "")

    private func checked(_ response: (status: Int, body: Data)) throws -> Data {
        guard response.status == 200 else {
            throw EmulatorFailure("status \(response.status): \(String(decoding: response.body, as: UTF8.self))")
        }
        return response.body
    }

    private func send(_ method: String, _ path: String, _ body: [UInt8]? = nil) throws -> (status: Int, body: Data) {
        let url = path.addingPercentEncoding(withAllowedCharacters: EmulatorClient.pathCharacters)
            .flatMap { URL(string: root.absoluteString + $0) }
        guard let url else { throw EmulatorFailure("\(path) is no path") }
        var request = URLRequest(url: url)
        request.httpMethod = method
        request.httpBody = body.map { Data($0) }
        let exchange = Exchange()
        session.dataTask(with: request) { data, response, error in
            let status = (response as? HTTPURLResponse)?.statusCode
            exchange.finish(
                status.map { .success(($0, data ?? Data())) } ?? .failure(error ?? EmulatorFailure("no response")))
        }.resume()
        return try exchange.result()
    }

    private static let pathCharacters = CharacterSet.urlPathAllowed.union(CharacterSet(charactersIn: "?=&"))
}

/// A response that one thread waits for and another delivers.
private final class Exchange: @unchecked Sendable {
    private let done = DispatchSemaphore(value: 0)
    private var delivered: Result<(Int, Data), any Error>?

    func finish(_ result: Result<(Int, Data), any Error>) {
        delivered = result
        done.signal()
    }

    func result() throws -> (Int, Data) {
        done.wait()
        return try delivered!.get()
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
    /// reverses again. The parent stands in the address.
    fileprivate var sent: Query {
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
