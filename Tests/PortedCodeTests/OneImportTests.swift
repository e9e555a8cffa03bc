// SPDX-License-Identifier: Apache-2.0

import Foundation
import Hearth
import Testing

@Suite struct OneImportTests {
    @Test func hearthBringsFoundation() async throws {
        let kept = Draft(text: "a", changed: Date(timeIntervalSince1970: 1), picture: Data([1, 2]))
        #expect(try draft(of: draftAsJSON(kept)) == kept)
        let settings = FirestoreSettings()
        settings.cacheSettings = MemoryCacheSettings()
        let database = try await Database.open(path: "", settings: settings)
        let error = await #expect(throws: FirestoreError.self) {
            try await database.document("drafts/a").updateData(["text": "b"])
        }
        #expect(error.map(isMissing) == true)
    }
}
