// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import IndexCatalog
internal import JSONText
internal import QueryPlanner

enum RecordedLine {
    /// The query of a recorded case, read by the code under test.
    static func query(_ line: String, database: DatabaseID) throws -> QueryRequest {
        try QueryJSON.read(JSONParser.parse(line), database: database)
    }
}
