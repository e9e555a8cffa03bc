// SPDX-License-Identifier: Apache-2.0

import DocumentEngine
import DocumentModel
import Foundation
import QueryPlanner
import TestSupport

/// The answer to a query, by Hearth or by the emulator.
enum Answer: CustomStringConvertible {
    case documents([Row])
    case aggregates([String: Value])
    /// The status, such as `INVALID_ARGUMENT`, and the message.
    case refused(String, String)

    struct Row {
        let path: DocumentPath
        let fields: Fields
    }

    /// The engine's answer in permissive mode, because the emulator needs no index either.
    init(_ engine: Engine, _ request: QueryRequest) throws {
        do throws(QueryError) {
            switch request {
            case .documents(let query):
                let found = try engine.run(query, allowScan: true).documents
                self = .documents(found.map { Row(path: $0.path, fields: $0.fields) })
            case .aggregation(let query):
                let found = try engine.run(query, allowScan: true).aggregates
                self = .aggregates(Dictionary(uniqueKeysWithValues: found.map { ($0.alias.string, $0.value) }))
            }
        } catch {
            switch error {
            case .planning(.invalid(let error)): self = .refused(error.status.rawValue, error.message)
            case .engine(.refused(let status, let message)): self = .refused(status.name, message)
            default: throw error
            }
        }
    }

    /// Reads a response to `:runQuery` or `:runAggregationQuery`.
    init(emulator body: Data) throws {
        let response = try JSONSerialization.jsonObject(with: body)
        let parts = response as? [[String: Any]] ?? (response as? [String: Any]).map { [$0] } ?? []
        var rows: [Row] = []
        for part in parts {
            if let error = part["error"] as? [String: Any] {
                self = .refused(error["status"] as? String ?? "", error["message"] as? String ?? "")
                return
            }
            if let result = part["result"] as? [String: Any] {
                let values = result["aggregateFields"] as? [String: Any] ?? [:]
                self = .aggregates(try values.mapValues { try RecordedJSON.value($0) })
                return
            }
            guard let document = part["document"] as? [String: Any], let name = document["name"] as? String else {
                continue
            }
            let fields = try RecordedJSON.fields(document["fields"] as? [String: Any] ?? [:])
            rows.append(Row(path: try RecordedJSON.documentPath(name), fields: fields))
        }
        self = .documents(rows)
    }

    var reversed: Answer {
        if case .documents(let rows) = self { .documents(rows.reversed()) } else { self }
    }

    var description: String {
        switch self {
        case .documents(let rows):
            "\(rows.count) documents \(rows.map(\.path))"
                + (rows.count == 1 ? " \(rows[0].fields)" : "")
        case .aggregates(let values): "\(values.sorted { $0.key < $1.key })"
        case .refused(let status, let message): "\(status) \(message)"
        }
    }
}
