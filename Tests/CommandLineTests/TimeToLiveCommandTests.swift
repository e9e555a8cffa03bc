// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@Suite struct TimeToLiveCommandTests {
    let bench: Workbench

    init() throws {
        bench = try Workbench()
    }

    @Test func sweepPrintsWhatItDeletes() throws {
        try bench.write(
            "indexes.json",
            """
            {"indexes":[],"fieldOverrides":[
              {"collectionGroup":"sessions","fieldPath":"expires","ttl":true,"indexes":[]}]}
            """)
        let lines = """
            {"name":"sessions/a","fields":{"expires":{"timestampValue":"2001-01-01T00:00:00Z"},"n":{"integerValue":"1"}}}
            {"name":"sessions/b","fields":{"expires":{"timestampValue":"9001-01-01T00:00:00Z"}}}
            {"name":"users/u/sessions/c","fields":{"expires":{"timestampValue":"2001-01-01T00:00:00Z"}}}

            """
        _ = try bench.hearth("import", "a.db", "-", input: lines)
        let before = try bench.hearth("ttl", "sweep", "a.db")
        #expect(before.output == "0 documents deleted\n")
        #expect(before.errors == "hearth: no field override says \"ttl\": true, so nothing expires\n")
        #expect(before.code == 0)
        #expect(try bench.hearth("indexes", "apply", "a.db", "indexes.json").code == 0)
        let sweep = try bench.hearth("ttl", "sweep", "a.db")
        #expect(sweep.output == "sessions/a\nusers/u/sessions/c\n2 documents deleted\n")
        #expect(sweep.errors == "")
        #expect(sweep.code == 0)
        #expect(try bench.hearth("export", "a.db").lines == [String(lines.split(separator: "\n")[1])])
        #expect(try bench.hearth("verify", "a.db").code == 0)
        #expect(try bench.hearth("ttl", "sweep", "missing.db").code == 2)
        #expect(try bench.hearth("ttl", "sweep").code == 64)
    }
}
