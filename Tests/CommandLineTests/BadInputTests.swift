// SPDX-License-Identifier: Apache-2.0

import Foundation
import LMDB
import TestSupport
import Testing

@Suite struct BadInputTests {
    let bench: Workbench

    init() throws {
        bench = try Workbench()
    }

    /// A line that cannot be stored, and where and why it is refused.
    static let refused: [(line: String, place: String)] = [
        (
            #"{"name":"c/2","fields":{"a":{"integerValue":"9223372036854775808"}}}"#,
            "line 2, column 45: integerValue takes"
        ),
        (#"{"name":"c/2","fields":{"a":{"doubleValue":1e999}}}"#, "line 2, column 44: doubleValue takes"),
        (#"{"name":"a//b"}"#, "line 2, column 9: Invalid path (a//b). Paths must not contain // in them."),
        (#"{"name":"__x__/b"}"#, #"line 2: Collection id "__x__" is invalid because it is reserved."#),
        (#"{"name":"c/__x__"}"#, #"line 2: Resource id "__x__" is invalid because it is reserved."#),
        (#"{"name":"c/"}"#, "line 2, column 9: Invalid path (c/)."),
        (#"{"name":""}"#, "line 2, column 9: Invalid document reference."),
        (#"{"name":"c"}"#, "line 2, column 9: Invalid document reference."),
        (#"{"name":"c/2","fields":{},"name":"c/4"}"#, #"line 2, column 27: The key "name" occurs twice."#),
        (#"{"name":"c/2","fields":{},"fields":{}}"#, #"line 2, column 27: The key "fields" occurs twice."#),
        (
            #"{"name":"c/2","fields":{"a":{"arrayValue":{"values":[],"values":[]}}}}"#,
            #"line 2, column 56: The key "values" occurs twice."#
        ),
        (#"{"name":"c/2","fields":{"a":{"doubleValue":"0x1p3"}}}"#, "line 2, column 44: doubleValue takes"),
        (#"{"name":"c/2","fields":{"a":{"doubleValue":"inf"}}}"#, "line 2, column 44: doubleValue takes"),
        (#"{"name":"c/2","fields":{"a":{"integerValue":"0x8"}}}"#, "line 2, column 45: integerValue takes"),
        (#"{"fields":{}}"#, #"line 2, column 1: A document has a "name"."#),
        (#"{"name":"c/9""#, "line 2, column 14: the text ends too early"),
        ("no json", "line 2, column 1: unexpected n"),
        ("[1]", "line 2, column 1: A document is an object"),
        (#"{"name":"c/2","fields":{"__x__":{"nullValue":null}}}"#, "line 2: field name __x__ is reserved"),
        (#"{"name":"c/2","fields":{"":{"nullValue":null}}}"#, "line 2: The property.name is the empty string."),
        (#"{"name":"c/2","fields":{"é":{"nonsense":1}}}"#, #"line 2, column 30: Unknown value type "nonsense"."#),
        (
            #"{"name":"c/2","fields":{"a":{"arrayValue":{"values":[{"arrayValue":{}}]}}}}"#,
            "line 2: Nested arrays are not allowed"
        ),
        (#"{"name":"projects/o/databases/d/documents/c/2"}"#, "line 2, column 9: projects/o/databases/d"),
        (
            #"{"name":"c/2","fields":{"a":{"stringValue":""# + String(repeating: "x", count: 1 << 20) + #""}}}"#,
            #"line 2: The value of property "a" is longer than 1048487 bytes."#
        ),
        (
            #"{"name":"c/2","fields":{"m":"# + String(repeating: #"{"mapValue":{"fields":{"m":"#, count: 21)
                + #"{"nullValue":null}"# + String(repeating: "}", count: 3 * 21 + 2),
            "line 2: Property m contains an invalid nested entity."
        ),
        (String(repeating: "[", count: 600), "line 2, column 513: nested too deeply"),
    ]

    /// Its references could not be read back.
    @Test(arguments: ["a/b", "a b", "", "a\n"]) func idsThatNoNameCanHave(_ id: String) throws {
        let run = try bench.hearth("import", "a.db", "-", "--project", id, input: "")
        #expect(run.code == 64)
        #expect(run.errors.contains("\"\(id)\" names no project and no database"), "\(run.errors)")
        #expect(!FileManager.default.fileExists(atPath: bench.path("a.db")))
    }

    @Test(arguments: refused.indices) func linesAreRefusedWithPlaceAndReason(_ index: Int) throws {
        let (line, place) = Self.refused[index]
        let good = #"{"name":"c/1","fields":{}}"#
        let run = try bench.hearth(
            "import", "a.db", "-", input: "\(good)\n\(line)\n\n\(good.replacing("1", with: "3"))")
        #expect(run.errors.hasPrefix("standard input: \(place)"), "\(run.errors)")
        #expect(run.errors.split(separator: "\n").count == 1)
        #expect(run.output == "2 documents imported, 1 rejected\n")
        #expect(run.code == 1)
        #expect(
            try bench.hearth("verify", "a.db").output == "2 documents and 0 index entries checked: nothing is wrong\n")
    }

    @Test func bytesThatAreNotUTF8() throws {
        let line = Data(#"{"name":"c/1","fields":{"a":{"stringValue":""#.utf8) + [0xFF] + Data("\"}}}\n".utf8)
        try line.write(to: bench.folder.url.appending(path: "in"))
        let run = try bench.hearth("import", "a.db", "in")
        #expect(run.errors == "in: line 1, column 45: these bytes are not UTF-8\n")
        #expect(run.code == 1)
    }

    @Test(arguments: [([0xFF, 0xFE, 0x7B, 0], "UTF-16: save it as UTF-8"), ([0xEF, 0xBB, 0xBF], "byte order mark")])
    func textInAnotherEncoding(_ bytes: [UInt8], _ reason: String) throws {
        try Data(bytes).write(to: bench.folder.url.appending(path: "f.json"))
        let run = try bench.hearth("validate", "f.json")
        #expect(run.output.hasPrefix("f.json:1:1: error: ") && run.output.contains(reason), "\(run.output)")
        #expect(run.code == 1)
    }

    /// Stored text cannot control a terminal.
    @Test func controlCharactersAreNotPrinted() throws {
        let run = try bench.hearth("validate", "-", input: "{\"indexes\": [], \"a\u{9B}31m\u{7F}\": 1}")
        #expect(run.output.contains("a\u{FFFD}31m\u{FFFD}"))
        #expect(!run.output.unicodeScalars.contains { $0 != "\n" && $0.properties.generalCategory == .control })
    }

    /// A double given as a string may have any decimal form.
    @Test func decimalText() throws {
        let line = #"{"name":"c/1","fields":{"a":{"doubleValue":"-1.5e3"},"b":{"doubleValue":"Infinity"}}}"#
        #expect(try bench.hearth("import", "a.db", "-", input: line).code == 0)
        #expect(
            try bench.hearth("export", "a.db").output
                == #"{"name":"c/1","fields":{"a":{"doubleValue":-1500.0},"b":{"doubleValue":"Infinity"}}}"# + "\n")
    }

    /// Messages cut what they repeat of the input.
    @Test func echoesAreBounded() throws {
        let long = String(repeating: "9", count: 100_000)
        _ = try bench.hearth("set", "a.db", "c/d", "{}")
        try bench.write("indexes.json", #"{"indexes":[{"collectionGroup":"c","queryScope":"\#(long)","\#(long)":1}]}"#)
        for arguments in [
            ["import", "a.db", "-", "--collection", "c"], ["set", "a.db", "c/d", "{\"a\":\(long).0e999}"],
            ["query", "a.db", "c.where('a','==',\(long)x)"], ["query", "a.db", "c.limit(\(long))"],
            ["get", "a.db", long],
            ["query", "a.db", #"{"structuredQuery":{"from":[{"collectionId":"c"}],"limit":"\#(long)"}}"#],
            ["get", "a.db", "c/d", long], ["query", "a.db", "c", "--format", long], ["validate", "indexes.json"],
            ["get", long, "c/d"],
        ] {
            let run = try bench.hearth(arguments: arguments, input: "{\"a\":\(long)e999}")
            #expect(run.code != 0 && run.code != nil)
            #expect(run.errors.utf8.count < 10_000, "\(arguments[0]): \(run.errors.utf8.count) bytes")
            #expect(run.output.utf8.count < 20_000, "\(arguments[0]): \(run.output.utf8.count) bytes")
        }
    }

    /// Otherwise the first file opened would get the number of standard error, and a message would overwrite the
    /// database.
    @Test(arguments: ["<&-", ">&-", "2>&-", ">&- 2>&-", "<&- >&- 2>&-"]) func closedStandardFiles(_ closed: String)
        throws
    {
        #expect(try bench.hearth("set", "a.db", "c/d", "{}").code == 0)
        try bench.write("bad", "no document\n")
        let program = try Locations.program("hearth").path
        for command in ["import a.db bad", "delete a.db x --recursive", "import a.db -"] {
            let process = Process()
            process.executableURL = URL(filePath: "/bin/sh")
            process.arguments = ["-c", "\(program) \(command) \(closed)"]
            process.currentDirectoryURL = bench.folder.url
            process.standardInput = FileHandle.nullDevice
            process.standardOutput = FileHandle.nullDevice
            process.standardError = FileHandle.nullDevice
            try process.start()
            process.waitUntilExit()
            #expect(process.terminationReason == .exit)
        }
        #expect(try bench.hearth("verify", "a.db").code == 0)
        #expect(try bench.hearth("export", "a.db").output == "{\"name\":\"c/d\",\"fields\":{}}\n")
    }

    @Test func compressedInput() throws {
        try Data([0x1F, 0x8B, 8, 0, 0, 0, 0, 0]).write(to: bench.folder.url.appending(path: "in.gz"))
        let run = try bench.hearth("import", "a.db", "in.gz")
        #expect(
            run.errors
                == "hearth: \"in.gz\" is gzip; decompress it first: gunzip -c in.gz | hearth import a.db -\n")
        #expect(run.code == 2)
        #expect(!FileManager.default.fileExists(atPath: bench.path("a.db")))
        for arguments in [
            ["validate", "in.gz"], ["check", "--queries", "in.gz"], ["commit", "b.db", "in.gz"], ["fmt", "in.gz"],
        ] {
            let run = try bench.hearth(arguments: arguments)
            #expect(run.errors.contains("\"in.gz\" is gzip; decompress it first: gunzip -c in.gz | hearth"))
            #expect(run.code == 2)
        }
    }

    @Test func deepestMapIsStored() throws {
        let line =
            #"{"name":"c/2","fields":{"m":"# + String(repeating: #"{"mapValue":{"fields":{"m":"#, count: 20)
            + #"{"nullValue":null}"# + String(repeating: "}", count: 3 * 20 + 2)
        #expect(try bench.hearth("import", "a.db", "-", input: line).code == 0)
        #expect(try bench.hearth("export", "a.db").output == line + "\n")
    }

    /// A command that has nothing to write creates no database.
    @Test func malformedWritesCreateNothing() throws {
        for fields in [["{bad"], [#"{"a":{"nonsense":1}}"#, "--lossless"]] {
            let run = try bench.hearth(arguments: ["set", "new.db", "cities/SF"] + fields)
            #expect(run.code == 64, "\(run.errors)")
        }
        #expect(try bench.hearth(arguments: ["set", "new.db", "cities/SF", "-"], input: "{bad").code == 2)
        #expect(try bench.hearth("commit", "new.db", "none.ndjson").code == 2)
        for (input, answers) in [("", 0), ("\n \n", 0), ("{bad\n{\"name\":\"c/d\"}\n{\"writes\":[5]}\n", 3)] {
            let run = try bench.hearth("commit", "new.db", "-", input: input)
            #expect(run.code == (answers > 0 ? 1 : 0) && run.lines.count == answers, "\(run)")
            #expect(run.errors == "hearth: there are no writes, so \"new.db\" was not made\n")
        }
        #expect(!FileManager.default.fileExists(atPath: bench.path("new.db")))
    }

    /// What came before the first line with writes is answered, too.
    @Test func commitsThatMakeADatabase() throws {
        let input = "{bad\n{\"id\":7,\"writes\":[{\"update\":{\"name\":\"c/d\",\"fields\":{}}}]}\n{bad\n"
        let run = try bench.hearth("commit", "new.db", "-", input: input)
        #expect(run.code == 1 && run.lines.count == 3 && run.errors == "", "\(run)")
        #expect(run.lines[0].contains("Line 1 is no JSON") && run.lines[2].contains("Line 3 is no JSON"))
        #expect(run.lines[1].hasPrefix(#"{"id":7,"commitTime":"#))
        #expect(try bench.hearth("get", "new.db", "c/d").code == 0)
    }

    @Test func filesThatAreNoDatabase() throws {
        try bench.write("text.db", "hello")
        try bench.write("empty.db", "")
        try FileManager.default.createDirectory(
            at: bench.folder.url.appending(path: "folder.db"), withIntermediateDirectories: true)
        do {
            let other = try Environment.open(bench.path("other.db"))
            _ = try other.openStores(["x"], create: true)
        }
        let reasons = [
            "text.db": "The file is not a database.", "empty.db": "The file is empty.",
            "folder.db": "The path names a folder, not a file.", "other.db": "is an LMDB file, but no Hearth database.",
        ]
        for (name, reason) in reasons {
            for command in [["verify", name], ["import", name, "-"], ["query", name, "c"], ["stats", name]] {
                let run = try bench.hearth(arguments: command)
                #expect(run.code == 2, "\(command) \(run)")
                #expect(run.errors.contains(name) && run.errors.contains(reason), "\(run.errors)")
                #expect(run.errors.split(separator: "\n").count == 1)
                #expect(run.output == "")
            }
        }
    }

    @Test func missingFilesAndFolders() throws {
        for command in [
            ["get", "no.db", "c/d"], ["import", "no/a.db", "-"], ["export", "no.db"], ["update", "no.db", "c/d", "{}"],
        ] {
            let run = try bench.hearth(arguments: command)
            #expect(run.code == 2, "\(command) \(run)")
            #expect(run.errors.contains("The file or its folder does not exist."), "\(run.errors)")
        }
        #expect(!FileManager.default.fileExists(atPath: bench.path("no.db")))
        let missing = try bench.hearth("import", "a.db", "no.ndjson")
        #expect(missing.errors == "hearth: could not open \"no.ndjson\": No such file or directory\n")
        #expect(missing.code == 2)
        #expect(!FileManager.default.fileExists(atPath: bench.path("a.db")))
        let folder = try bench.hearth("validate", ".")
        #expect(folder.errors == "hearth: could not read \".\": Is a directory\n")
        #expect(folder.code == 2)
    }

    /// Not even root can write to /proc.
    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/proc/self"))) func folderThatCannotBeWritten() throws {
        let run = try bench.hearth("import", "/proc/a.db", "-")
        #expect(run.code == 2)
        #expect(run.errors.hasPrefix("hearth: Could not create the database \"/proc/a.db"), "\(run.errors)")
        #expect(run.errors.split(separator: "\n").count == 1)
    }

    @Test func truncatedAndDamagedDatabases() throws {
        let documents = (0..<200).map { #"{"name":"c/\#($0)","fields":{"a":{"integerValue":"\#($0)"}}}"# }
        _ = try bench.hearth("import", "a.db", "-", input: documents.joined(separator: "\n"))
        let whole = try bench.contents("a.db")
        var random = SeededGenerator.printingSeed()
        for round in 0..<12 {
            var bytes = whole
            if round % 4 == 0 {
                bytes = bytes.prefix(Int.random(in: 1..<bytes.count, using: &random))
            } else {
                for _ in 0..<(round % 3 == 0 ? 20 : 1) {
                    bytes[Int.random(in: 0..<bytes.count, using: &random)] ^=
                        1 << UInt8.random(in: 0...7, using: &random)
                }
            }
            try bytes.write(to: bench.folder.url.appending(path: "b.db"))
            for command in [["verify", "b.db"], ["export", "b.db"], ["query", "b.db", "c.where('a','>',3)"]] {
                let run = try bench.hearth(arguments: command)
                #expect([0, 1, 2].contains(run.code), "seed \(random.seed), round \(round): \(command) \(run.errors)")
            }
        }
    }
}
