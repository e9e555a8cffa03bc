// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@Suite struct UsageTests {
    let bench: Workbench

    init() throws {
        bench = try Workbench()
    }

    @Test(arguments: [
        "import", "export", "get", "set", "update", "delete", "query", "explain", "indexes", "indexes apply",
        "indexes list", "verify", "repair", "stats", "backup", "compact", "validate", "check", "fmt", "diff", "convert",
        "link",
        "link decode", "link encode", "ttl", "ttl sweep", "rules", "rules check", "rules test",
    ])
    func everyCommandHasHelpWithAnExample(_ command: String) throws {
        let run = try bench.hearth(arguments: command.split(separator: " ").map(String.init) + ["--help"])
        #expect(run.code == 0)
        #expect(run.output.contains(/Examples?:\n *hearth \#(command)/) || run.output.contains("\n  hearth \(command)"))
    }

    /// What is wrong with an option's value, in place of that it is wrong.
    @Test(arguments: [
        (
            ["validate", "--rule", "foo=off", "f.json"],
            #"there is no rule "foo"; hearth validate --explain all and hearth rules check --explain all list them"#
        ),
        (
            ["validate", "--rule", "redundant-index=loud", "f.json"],
            "write redundant-index=off, or note, warning or error in its place"
        ),
        (
            ["rules", "check", "--rule", "redundant-index", "f.rules"],
            "write redundant-index=off, or note, warning or error in its place"
        ),
        (["query", "a.db", "c", "--values", "b"], "write b=VALUE"),
        (["explain", "c", "--values", "=b"], "write NAME=VALUE"),
    ])
    func valuesThatAreNone(_ arguments: [String], _ reason: String) throws {
        let run = try bench.hearth(arguments: arguments)
        #expect(run.code == 64)
        #expect(run.errors.contains(": \(reason)\n"), "\(run.errors)")
    }

    @Test func helpOfACommand() throws {
        let help = try bench.hearth("help", "rules", "check")
        let option = try bench.hearth("rules", "check", "--help")
        #expect(help.code == 0 && help.output == option.output)
        let wrong = try bench.hearth("help", "chekc")
        #expect(
            wrong.errors.hasPrefix("Error: there is no command \"chekc\": did you mean check?\n"), "\(wrong.errors)")
    }

    /// Examples can be pasted from help of 80 columns: the parser breaks a wider line where no shell continues it.
    @Test func examplesInEightyColumns() throws {
        let names = try HelpDump.commands(bench).map { $0.name.split(separator: " ").map(String.init) }
        let commands = Set(names.flatMap { words in (0...words.count).map { Array(words.prefix($0)) } })
        for command in commands {
            let wide = try examples(of: command, columns: 300)
            #expect(try examples(of: command, columns: 80) == wide, "\(command)")
            // A backslash ends each line that a more indented one continues.
            let broken = zip(wide, Array(wide.dropFirst()) + [""]).filter { line, next in
                line.hasSuffix("\\") != next.hasPrefix("    ")
            }
            #expect(broken.isEmpty, "\(command): \(broken)")
        }
    }

    /// The indented lines of a command's description.
    private func examples(of command: [String], columns: Int) throws -> [String] {
        let process = try bench.process(["help"] + command, environment: ["COLUMNS": String(columns)])
        process.waitUntilExit()
        let help = String(decoding: try bench.contents(".output"), as: UTF8.self)
        let description = try #require(help.components(separatedBy: "\nUSAGE:").first)
        return description.components(separatedBy: "\n").filter { $0.hasPrefix("  ") }
    }

    @Test(arguments: ["0", "-1", "7", "39", "x", ""])
    func helpInFewColumns(_ columns: String) throws {
        let process = try bench.process(["fmt", "--help"], environment: ["COLUMNS": columns])
        process.waitUntilExit()
        #expect(process.terminationReason == .exit && process.terminationStatus == 0)
        let lines = String(decoding: try bench.contents(".output"), as: UTF8.self).split(separator: "\n")
        #expect(lines.count > 20)
    }

    @Test func version() throws {
        let run = try bench.hearth("--version")
        #expect(run.output.contains(/^\d+\.\d+\.\d+\n$/))
        #expect(run.code == 0)
    }

    @Test(arguments: [
        ["nonsense"], ["query", "--bogus"], ["get", "a.db"], ["get", "a.db", "a//b"], ["get", "a.db", "a"],
        ["set", "a.db", "__x__/a", "{}"], ["set", "a.db", "c/d", "{"], ["set", "a.db", "c/d", "[]"],
        ["set", "a.db", "c/d", #"{"a":1e999}"#], ["update", "a.db", "c/d", #"{"a":1,"a.b":2}"#],
        ["update", "a.db", "c/d", #"{"a..b":2}"#], ["query", "a.db"], ["query", "a.db", "c.where("],
        ["query", "a.db", #"{"a""#], ["query", "a.db", "{}"], ["query", "a.db", "c", "--queries", "q"],
        ["query", "a.db", "c", "--format", "xml"], ["explain", "c"], ["explain", "c", "--indexes", "i", "--analyze"],
        ["validate"], ["validate", "--explain", "no-such-rule"], ["import", "a.db", "-", "--id-field", "a"],
        ["import", "a.db", "-", "--collection", "a/b"], ["link", "decode", "http://x"], ["fmt", "-", "--write"],
        ["help", "bogus"], ["help", "rules", "chekc"], ["link", "encode", "c.where('a','==',1)", "--project", "a b"],
        ["link", "encode", "c.where('a','==',1)", "--project", ""], ["query", "a.db", "c", "--project", "a b"],
        ["explain", "c", "--db", "a.db", "--project", ""], ["check", "--queries", "q", "--project", "a/b"],
        ["plan-move", "a.db", "--project", "a/b"], ["pull", "a.db", "--from-export", "x", "--project", ""],
        ["rules", "coverage", "--rules", "r", "--cases", "c", "--at-least", "101"],
        ["rules", "coverage", "--rules", "r", "--cases", "c", "--at-least=-1"],
    ])
    func wrongUsage(_ arguments: [String]) throws {
        #expect(try bench.hearth("import", "a.db", "-").code == 0)
        let run = try bench.hearth(arguments: arguments)
        #expect(run.code == 64, "\(run)")
        #expect(run.errors.hasPrefix("Error: "))
        #expect(run.output == "")
    }

    @Test(arguments: ["export a.db", "get a.db c/d", "query a.db c", "indexes list a.db", "verify a.db", "stats a.db"])
    func readingChangesNothing(_ command: String) throws {
        _ = try bench.hearth("set", "a.db", "c/d", #"{"a":1}"#)
        let before = try bench.contents("a.db")
        #expect(try bench.hearth(arguments: command.split(separator: " ").map(String.init)).code == 0)
        #expect(try bench.contents("a.db") == before)
    }

    @Test func copies() throws {
        _ = try bench.hearth("set", "a.db", "c/d", #"{"a":1}"#)
        for command in ["backup", "compact"] {
            #expect(try bench.hearth(command, "a.db", "\(command).db").code == 0)
            #expect(
                try bench.hearth("export", "\(command).db").output
                    == "{\"name\":\"c/d\",\"fields\":{\"a\":{\"integerValue\":\"1\"}}}\n")
            let again = try bench.hearth(command, "a.db", "\(command).db")
            #expect(again.code == 2)
            #expect(again.errors.contains("A file of that name exists."))
        }
    }

    @Test func statistics() throws {
        _ = try bench.hearth("set", "a.db", "c/d", #"{"a":[1,2]}"#)
        let json = try bench.hearth("stats", "a.db", "--format", "json")
        let object = try #require(try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any])
        #expect(object["project"] as? String == "hearth")
        #expect(object["format"] as? Int == 5)
        let collections = try #require(object["collections"] as? [[String: Any]])
        #expect(collections.map { $0["path"] as? String } == ["c"])
        #expect(collections.map { $0["documents"] as? Int } == [1])
        let indexes = try #require(object["indexes"] as? [[String: Any]])
        #expect(indexes.map { $0["kind"] as? String } == ["ORDER", "ARRAY_CONTAINS"])
        #expect(indexes.map { $0["entries"] as? Int } == [1, 2])
        let text = try bench.hearth("stats", "a.db").output
        #expect(text.contains("database   projects/hearth/databases/(default)\n"))
        #expect(!text.contains("\u{1B}"))
    }
}
