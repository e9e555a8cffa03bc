// SPDX-License-Identifier: Apache-2.0

#if Server
    import Testing

    /// Servers of projects with databases of other editions.
    @Suite struct ServeEditionTests {
        let bench: Workbench

        init() throws {
            bench = try Workbench()
        }

        /// It answers as the Standard edition does.
        @Test(arguments: [
            (#"{"firestore":{"edition":"enterprise"}}"#, "the edition enterprise is not served, only standard"),
            (
                #"{"firestore":[{"database":"(default)"},{"database":"other","edition":"ENTERPRISE"}]}"#,
                "the edition enterprise is not served, only standard"
            ),
            (
                #"{"firestore":{"dataAccessMode":"MONGODB_COMPATIBLE"}}"#,
                "the edition mongodb is not served, only standard"
            ),
            (
                #"{"firestore":{"edition":"enterprice"}}"#,
                #""edition" cannot be "enterprice": did you mean "enterprise"?"#
            ),
        ])
        func otherEditions(_ text: String, _ reason: String) throws {
            try bench.write("firebase.json", "\n" + text)
            let run = try bench.hearth("exec", "--", "true")
            #expect(run.code == 2)
            #expect(run.errors == "hearth: \"firebase.json\":2: \(reason)\n")
            // What it says is stronger.
            try bench.write(".hearth.json", #"{"edition":"standard"}"#)
            #expect(try bench.hearth("exec", "--", "true").code == 0)
            try bench.write("firebase.json", "{}")
            try bench.write(".hearth.json", #"{"edition":"mongodb"}"#)
            let settings = try bench.hearth("exec", "--", "true")
            #expect(settings.code == 2)
            #expect(settings.errors == "hearth: \".hearth.json\": the edition mongodb is not served, only standard\n")
        }
    }
#endif
