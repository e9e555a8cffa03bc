// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@Suite struct DocumentCommandTests {
    let bench: Workbench

    init() throws {
        bench = try Workbench()
    }

    static let lines = """
        {"name":"cities/LA","fields":{"population":{"integerValue":"3820914"}}}
        {"name":"cities/SF","fields":{"name":{"stringValue":"San Francisco"},"population":{"integerValue":"860000"}}}
        {"name":"cities/SF/landmarks/bridge","fields":{"at":{"geoPointValue":{"latitude":37.8,"longitude":-122.5}},\
        "of":{"referenceValue":"cities/SF"},"score":{"doubleValue":"NaN"},"tags":{"arrayValue":{"values":[{"nullValue":null}]}}}}

        """

    @Test func exportGivesBackWhatWasImported() throws {
        let imported = try bench.hearth("import", "a.db", "-", input: Self.lines)
        #expect(imported.output == "3 documents imported, 0 rejected\n")
        #expect(imported.errors == "")
        #expect(imported.code == 0)
        let exported = try bench.hearth("export", "a.db")
        #expect(exported.output == Self.lines)
        #expect(exported.code == 0)
        #expect(try bench.hearth("import", "b.db", "-", input: exported.output).code == 0)
        #expect(try bench.hearth("export", "b.db").output == Self.lines)
        let collection = try bench.hearth("export", "a.db", "--collection", "cities")
        #expect(collection.lines.count == 2)
    }

    /// As answers and errors print them.
    @Test func fullNames() throws {
        let name = "projects/hearth/databases/(default)/documents/c/d"
        #expect(try bench.hearth("set", "a.db", name, #"{"a":1}"#).code == 0)
        #expect(try bench.hearth("update", "a.db", name, #"{"b":2}"#).code == 0)
        let document = try bench.hearth("get", "a.db", "c/d").output
        #expect(document.hasPrefix(#"{"name":"c/d""#), "\(document)")
        #expect(try bench.hearth("get", "a.db", name).output == document)
        let other = "projects/p/databases/(default)/documents/c/d"
        let commands = [
            ["get", "a.db", other], ["delete", "a.db", other], ["delete", "--recursive", "a.db", other],
            ["update", "a.db", other, "{}"], ["set", "a.db", other, "{}"],
        ]
        for arguments in commands {
            let run = try bench.hearth(arguments: arguments)
            #expect(run.code == 64)
            #expect(
                run.errors
                    == "Error: \(other) belongs to another database than projects/hearth/databases/(default).\n")
        }
        #expect(try bench.hearth("delete", "a.db", name).code == 0)
        #expect(try bench.hearth("get", "a.db", "c/d").code == 1)
        // It is made with the name's project.
        #expect(try bench.hearth("set", "b.db", other, "{}").code == 0)
        #expect(try bench.hearth("get", "b.db", other).code == 0)
        #expect(try bench.hearth("set", "c.db", "projects/a b/databases/d/documents/c/d", "{}").code == 64)
        // A path, although it begins as a name does.
        let path = "projects/p/databases/d/documents/c"
        #expect(try bench.hearth("set", "a.db", path, "{}").code == 0)
        #expect(try bench.hearth("delete", "a.db", path).code == 0)
    }

    /// A missing database that is only read is not about to be made.
    @Test func noDatabase() throws {
        let run = try bench.hearth("get", "none.db", "c/d")
        #expect(run.code == 2)
        #expect(run.errors.contains("Check the path; a new file needs a folder that exists."), "\(run.errors)")
    }

    @Test func plainObjectsBecomeDocuments() throws {
        let input = """
            {"code":"x","n":1,"d":1.0,"big":9223372036854775808,"list":[true,null],"map":{"a":"b"}}
            {"code":5}
            """
        let run = try bench.hearth("import", "a.db", "-", "--collection", "u", "--id-field", "code", input: input)
        #expect(run.output == "2 documents imported, 0 rejected\n")
        #expect(
            try bench.hearth("export", "a.db").output == """
                {"name":"u/5","fields":{"code":{"integerValue":"5"}}}
                {"name":"u/x","fields":{"big":{"doubleValue":9.223372036854776e+18},"code":{"stringValue":"x"},\
                "d":{"doubleValue":1.0},"list":{"arrayValue":{"values":[{"booleanValue":true},{"nullValue":null}]}},\
                "map":{"mapValue":{"fields":{"a":{"stringValue":"b"}}}},"n":{"integerValue":"1"}}}

                """)
    }

    @Test func madeUpIDsAreTwentyLettersAndDigits() throws {
        _ = try bench.hearth("import", "a.db", "-", "--collection", "u", input: "{}\n{}\n")
        let lines = try bench.hearth("export", "a.db").lines
        #expect(lines.count == 2)
        for line in lines { #expect(line.wholeMatch(of: /\{"name":"u\/[A-Za-z0-9]{20}","fields":\{\}\}/) != nil) }
    }

    @Test func identityIsGivenOnce() throws {
        #expect(try bench.hearth("import", "a.db", "-", "--project", "p").code == 0)
        let reference = #"{"name":"projects/p/databases/(default)/documents/c/d","fields":{}}"#
        #expect(try bench.hearth("import", "a.db", "-", input: reference).code == 0)
        #expect(try bench.hearth("export", "a.db").output == "{\"name\":\"c/d\",\"fields\":{}}\n")
        let other = try bench.hearth("import", "a.db", "-", "--project", "q")
        #expect(other.code == 2)
        #expect(
            other.errors == """
                hearth: "a.db" is projects/p/databases/(default), not projects/q/databases/(default): project and database \
                are given once, when a database is made

                """)
    }

    @Test func setGetUpdateDelete() throws {
        func get() throws -> String { try bench.hearth("get", "a.db", "c/d").output }
        let set = try bench.hearth("set", "a.db", "c/d", #"{"a":1,"m":{"x":1,"y":2}}"#)
        #expect(set.code == 0)
        #expect(set.output == "" && set.errors == "")
        _ = try bench.hearth("set", "a.db", "c/d", #"{"m":{"x":3}}"#, "--merge")
        #expect(
            try get() == """
                {"name":"c/d","fields":{"a":{"integerValue":"1"},"m":{"mapValue":{"fields":{"x":{"integerValue":"3"},\
                "y":{"integerValue":"2"}}}}}}

                """)
        _ = try bench.hearth("update", "a.db", "c/d", #"{"m.y":{"booleanValue":true}}"#, "--lossless")
        _ = try bench.hearth("set", "a.db", "c/e", #"{"fields":{"fields":{"nullValue":null}}}"#, "--lossless")
        _ = try bench.hearth("set", "a.db", "c/f", #"{"fields":{"nullValue":null}}"#, "--lossless")
        for id in ["e", "f"] {
            #expect(
                try bench.hearth("get", "a.db", "c/\(id)").output
                    == "{\"name\":\"c/\(id)\",\"fields\":{\"fields\":{\"nullValue\":null}}}\n")
        }
        _ = try bench.hearth("update", "a.db", "c/d", #"{"`odd name`":null}"#)
        #expect(
            try get() == """
                {"name":"c/d","fields":{"a":{"integerValue":"1"},"m":{"mapValue":{"fields":{"x":{"integerValue":"3"},\
                "y":{"booleanValue":true}}}},"odd name":{"nullValue":null}}}

                """)
        let missing = try bench.hearth("update", "a.db", "c/none", "{}")
        #expect(missing.code == 1)
        #expect(
            missing.errors
                == "hearth: NOT_FOUND: No document to update: projects/hearth/databases/(default)/documents/c/none\n")
        #expect(try bench.hearth("delete", "a.db", "c/d").code == 0)
        let gone = try bench.hearth("get", "a.db", "c/d")
        #expect(gone.code == 1)
        #expect(gone.errors == "hearth: there is no document c/d\n")
    }

    @Test func recursiveDeleteTakesWhatIsBelow() throws {
        _ = try bench.hearth("import", "a.db", "-", input: Self.lines)
        let one = try bench.hearth("delete", "a.db", "cities/SF", "--recursive")
        #expect(one.output == "2 documents deleted\n")
        #expect(try bench.hearth("export", "a.db").lines.count == 1)
        #expect(try bench.hearth("delete", "a.db", "cities").code == 64)
        #expect(try bench.hearth("delete", "a.db", "cities", "--recursive").output == "1 document deleted\n")
        #expect(try bench.hearth("export", "a.db").output == "")
    }

    /// A full name has as many names as the path of a document, as which it deleted nothing.
    @Test func recursiveDeleteTakesFullNames() throws {
        _ = try bench.hearth("import", "a.db", "-", input: Self.lines)
        let other = "projects/p/databases/(default)/documents/cities"
        let refused = try bench.hearth("delete", "a.db", other, "--recursive")
        #expect(refused.code == 64)
        #expect(
            refused.errors
                == "Error: \(other) belongs to another database than projects/hearth/databases/(default).\n")
        let root = "projects/hearth/databases/(default)/documents"
        let whole = try bench.hearth("delete", "a.db", "\(root)/cities", "--recursive")
        #expect(whole.output == "3 documents deleted\n")
        #expect(try bench.hearth("export", "a.db").output == "")
        // A document whose path begins as a full name does has a full name, too.
        _ = try bench.hearth("set", "a.db", "\(root)/c", "{}")
        #expect(try bench.hearth("delete", "a.db", "\(root)/c", "--recursive").output == "0 documents deleted\n")
        #expect(
            try bench.hearth("delete", "a.db", "\(root)/\(root)/c", "--recursive").output == "1 document deleted\n")
    }

    /// A killed deletion keeps what it has deleted and what it has not, and the next one continues.
    @Test func killedRecursiveDelete() throws {
        let lines = (0..<4_000).map { #"{"name":"c/\#($0)/s/x","fields":{"a":{"integerValue":"\#($0)"}}}"# }
        _ = try bench.hearth("import", "a.db", "-", input: lines.joined(separator: "\n"))
        let process = Process()
        process.executableURL = try Locations.program("hearth")
        process.arguments = ["delete", "a.db", "c", "--recursive"]
        process.currentDirectoryURL = bench.folder.url
        process.standardOutput = FileHandle.nullDevice
        try process.start()
        while process.isRunning, try bench.hearth("export", "a.db").lines.count == 4_000 {}
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        let left = try bench.hearth("export", "a.db").lines.count
        #expect(left % 1_000 == 0 && left < 4_000)
        #expect(try bench.hearth("verify", "a.db").code == 0)
        #expect(try bench.hearth("delete", "a.db", "c", "--recursive").code == 0)
        #expect(try bench.hearth("export", "a.db").output == "")
        #expect(try bench.hearth("verify", "a.db").code == 0)
    }
}
