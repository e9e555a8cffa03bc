// SPDX-License-Identifier: Apache-2.0

import DocumentEngine
import DocumentModel
import IndexCatalog
import QueryPlanner
import TestSupport
import Testing

@Suite struct RoundTripTests {
    @Test func whatIsWrittenIsRead() throws {
        let database = try TemporaryDatabase()
        let path: DocumentPath = "cities/SF"
        let fields = Fields([Field("name", "San Francisco"), Field("population", 860_000)])!
        _ = try database.engine.commit([.set(path, fields)])
        let read = try #require(try database.engine.document(path))
        #expect(read.fields.isIdentical(to: fields))
        #expect(try database.engine.document("cities/LA") == nil)
    }
}
