// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import TestSupport
import Testing

/// `hearth shell`, on a terminal and with lines from a pipe.
@Suite struct ShellTests {
    let bench: Workbench

    init() throws {
        bench = try Workbench()
        for (id, people) in [("SF", 860_000), ("LA", 3_900_000)] {
            _ = try bench.hearth("set", "my.db", "cities/\(id)", #"{"state":"CA","population":\#(people)}"#)
        }
    }

    private static let query = "cities.where('state','==','CA').orderBy('population')"
    private static let tab = "\t"
    private static let up = "\u{1B}[A"
    private static let left = "\u{1B}[D"

    @Test func linesFromAPipe() throws {
        let input = """
            \(Self.query)
            .apply
            \(Self.query).limit(1)
            .collections
            .get cities/LA
            .set s=CA
            db.collection("cities").whereField("state", isEqualTo: s)

            """
        let run = try bench.hearth("shell", "my.db", input: input)
        // The first query lacked its index.
        #expect(run.code == 1)
        #expect(run.lines.count == 6, "\(run)")
        #expect(run.lines[0].contains("FAILED_PRECONDITION"))
        #expect(run.lines[1] == "built cities COLLECTION (state ASC, population ASC, __name__ ASC)")
        #expect(run.lines[2].hasPrefix(#"{"documents":[{"name":"cities/SF""#))
        #expect(run.lines[3] == "cities")
        #expect(
            run.lines[4]
                == #"{"name":"cities/LA","fields":{"population":{"integerValue":"3900000"},"state":{"stringValue":"CA"}}}"#
        )
        #expect(run.lines[5].contains("cities/LA") && run.lines[5].contains("cities/SF"))
        #expect(try bench.hearth("indexes", "list", "my.db", "--format", "json").output.contains("\"population\""))
        #expect(try bench.hearth("shell", "my.db", "--format", "csv", input: "cities.count()").output == "count\n2\n")
    }

    @Test(arguments: [
        (".explian on", "did you mean .explain?"), (".explain", ".explain on"), (".format x", "the formats are json"),
        (".apply", "lacked no index"), (".get nothing", "Invalid document reference"), (".set x", ".set NAME=VALUE"),
        ("cities.wher('a')", "did you mean 'where'?"), ("{", "the query is no JSON"), (".get cities/NY", "no document"),
        ("townsRef.limit(1)", "is a variable"),
    ])
    func whatCannotBeAnswered(_ line: String, _ reason: String) throws {
        let run = try bench.hearth("shell", "my.db", input: line + "\n.exit\n\(Self.query)\n")
        #expect(run.code == 1 && run.output.isEmpty)
        #expect(run.errors.contains(reason), "\(run.errors)")
    }

    @Test func readingOnly() throws {
        let run = try bench.hearth("shell", "my.db", "--read-only", input: "\(Self.query)\n.apply\n")
        #expect(run.code == 1 && run.lines.count == 1)
        #expect(try bench.hearth("shell", "none.db", input: "").code == 2)
    }

    @Test(TerminalSession.required)
    func completionAndTables() async throws {
        let session = try TerminalSession(bench, ["shell", "my.db"])
        try await session.press(
            "ci\(Self.tab).wh\(Self.tab)'st\(Self.tab)','=\(Self.tab)','CA')", until: "cities.where('state','==','CA')")
        try await session.press(".ord\(Self.tab)'p\(Self.tab)')\r", until: ".apply builds this index")
        try await session.press(".apply\r", until: "built cities COLLECTION (state ASC, population ASC")
        try await session.press("\(Self.up)\(Self.up)\r", until: "2 rows")
        #expect(session.screen.contains("cities/SF      860000  CA"), "\(session.screen)")
        try await session.press(".expl\(Self.tab) on\r.coll\(Self.tab)\r", until: "cities\r\n")
        try await session.press("cities.count()\r", until: "count  2")
        #expect(try await session.end("\u{4}") == 0)
        #expect(!session.isRaw)
        // The next session knows the lines.
        let next = try TerminalSession(bench, ["shell", "my.db"])
        try await next.press("\(Self.up)\(Self.up)", until: "hearth> .collections")
        #expect(try await next.end("\u{3}\u{4}") == 0)
    }

    /// A pasted query of several lines is one line, and what is pasted runs only when a person says so.
    @Test(TerminalSession.required)
    func paste() async throws {
        let session = try TerminalSession(bench, ["shell", "my.db"])
        try await session.press("\u{1B}[200~cities\n  .limit(1)\n.exit\u{1B}[31m\u{1B}[201~", until: ".exit [31m")
        #expect(session.process.isRunning && !session.screen.contains("1 row"))
        for _ in 0..<10 { try await session.press("\u{7F}", until: "hearth>") }
        try await session.press("\r", until: "1 row")
        #expect(try await session.end(".exit\r") == 0)
    }

    /// The cursor is where the C library's widths of characters put it.
    @Test(TerminalSession.required, arguments: ["abc", "日本語", "é", "e\u{301}x", "😀🚀"])
    func widths(_ text: String) async throws {
        let locale = newlocale(LC_CTYPE_MASK, "C.UTF-8", nil)
        let former = uselocale(locale)
        typealias Width = @convention(c) (wchar_t) -> Int32
        let wcwidth = unsafeBitCast(try #require(dlsym(nil, "wcwidth")), to: Width.self)
        let width = text.unicodeScalars.reduce(0) { $0 + max(0, Int(wcwidth(wchar_t($1.value)))) }
        uselocale(former)
        freelocale(locale)
        let session = try TerminalSession(bench, ["shell", "my.db"])
        try await session.press(text, until: "hearth> \(text)\u{1B}[K\u{1B}[\(9 + width)G")
        // Each character is one for the keys: the first comes before the x, and erasing takes it whole.
        let rest = String(text.dropFirst())
        try await session.press("\u{1}x", until: "hearth> x\(text)\u{1B}[K\u{1B}[10G")
        try await session.press("\u{1B}[3~", until: "hearth> x\(rest)\u{1B}[K\u{1B}[10G")
        #expect(try await session.end("\u{3}\u{4}") == 0)
    }

    /// Long lines scroll, and the cursor stays on the screen.
    @Test(TerminalSession.required)
    func longLines() async throws {
        let session = try TerminalSession(bench, ["shell", "my.db"])
        try await session.press(String(repeating: "0123456789", count: 20) + "end", until: "end\u{1B}[K\u{1B}[80G")
        try await session.press("\u{1}", until: "hearth> 0123456789")
        #expect(session.screen.hasSuffix("\u{1B}[K\u{1B}[9G"))
        #expect(try await session.end("\u{3}\u{4}") == 0)
    }

    @Test(TerminalSession.required, arguments: [SIGTERM, SIGHUP, SIGINT, SIGQUIT])
    func signalsRestoreTheTerminal(_ number: Int32) async throws {
        let session = try TerminalSession(bench, ["shell", "my.db"])
        try await session.press("cit", until: "hearth> cit")
        #expect(session.isRaw)
        kill(session.process.processIdentifier, number)
        try await wait(for: "the end") { !session.process.isRunning }
        #expect(session.process.terminationReason == .uncaughtSignal && session.process.terminationStatus == number)
        #expect(!session.isRaw)
    }
}
