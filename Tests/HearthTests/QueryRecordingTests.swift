// SPDX-License-Identifier: Apache-2.0

import Foundation
import Hearth
import TestSupport
import Testing

/// `hearth advise` computes an index file from the recorded queries of a program.
@Suite struct QueryRecordingTests {
    @Test func everyShapeIsLoggedWithoutItsValues() throws {
        let folder = try TemporaryDirectory()
        let settings = Sample.settings
        settings.queryLog = folder.path("log.ndjson")
        let database = try Database.open(path: folder.path("my.db"), settings: settings)
        let collection = database.collection("c")
        for secret in ["first", "second"] {
            #expect(try collection.whereField("a", isEqualTo: secret).sync.getDocuments().isEmpty)
        }
        // Refused for a missing index, which is what the log is for.
        let refused = collection.whereField("a", isEqualTo: "first").order(by: "b")
        #expect(throws: (any Error).self) { try refused.sync.getDocuments() }
        let log = try String(contentsOfFile: folder.path("log.ndjson"), encoding: .utf8)
        #expect(log.contains(#""id":"c where a == \"v0\"""#))
        #expect(log.contains(#""id":"c where a == \"v0\" order by b""#))
        #expect(!log.contains("first") && !log.contains("second"))
    }
}
