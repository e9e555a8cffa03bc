// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// A database and files in which every name and value has control characters: no command prints one.
@Suite struct HostileTextTests {
    let bench: Workbench

    init() throws {
        bench = try Workbench()
    }

    /// All characters that must not reach a terminal. Line breaks, which end the tool's own lines, are checked
    /// separately.
    static let orders: [Unicode.Scalar] =
        ([0x01...0x09, 0x0B...0x1F, 0x7F...0x9F, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069, 0x61C...0x61C]
        .flatMap { Array($0) } as [UInt32]).compactMap(Unicode.Scalar.init)

    /// The text itself, and as JSON.
    static let text = "é" + String(String.UnicodeScalarView(orders)) + "\u{1B}[31m\r\nFORGED\nFORGED"
    static let json = text.unicodeScalars.map { $0.value < 0x20 ? String(format: "\\u%04x", $0.value) : String($0) }
        .joined()
    static let unquoted = text.unicodeScalars.map { $0 == "\n" ? "" : String($0) }.joined()

    static let queries = """
        {"id":"\(json)","structuredQuery":{"from":[{"collectionId":"\(json)"}]}}
        {"id":"m\(json)","structuredQuery":{"from":[{"collectionId":"\(json)"}],"where":{"compositeFilter":{"op":"AND",\
        "filters":[{"fieldFilter":{"field":{"fieldPath":"`\(json)`"},"op":"GREATER_THAN","value":{"stringValue":"a"}}},\
        {"fieldFilter":{"field":{"fieldPath":"b"},"op":"EQUAL","value":{"stringValue":"\(json)"}}}]}}}}
        {"id":"e\(json)","structuredQuery":{"from":[{"collectionId":"\(json)"}],"where":{"\(json)":1}}}
        {"id":"q\(json)","query":"c.where('\(json)','==',"}
        {"id":"a\(json)","structuredAggregationQuery":{"structuredQuery":{"from":[{"collectionId":"\(json)"}]},\
        "aggregations":[{"alias":"n\(json)","count":{}}]}}
        {"\(json)
        \(unquoted)

        """

    /// What `hearth shell` is asked, and others import or answer one by one.
    static let lines = "\(unquoted)\n.\(unquoted)\n.get \(unquoted)/\(unquoted)\n.collections\n{\"\(json)\n"

    /// The runs of each command that the program lists.
    static let cases: [String: [[String]]] = [
        "import": [["b.db", "bad.ndjson"], ["b.db", text], ["b.db", "-", "--collection", text]],
        "export": [["a.db"], ["a.db", "--collection", "\(text)/x/\(text)"]],
        "get": [["a.db", "\(text)/\(text)"], ["a.db", "\(text)/none"], ["a.db", "\(text)//"]],
        "set": [["a.db", "\(text)/__\(text)__", "{}"], ["a.db", "c/d", "{\"\(json)\":"]],
        "update": [["a.db", "\(text)/none", "{}"], ["a.db", "c/d", "{\"a..\(json)\":1}"]],
        "delete": [["c.db", "\(text)//\(text)"], ["c.db", "\(text)", "--recursive"]],
        "commit": [["a.db", "commits.ndjson"]],
        "query": [
            ["a.db", "--queries", "queries.ndjson"],
            ["a.db", "--queries", "queries.ndjson", "--analyze", "--allow-scan"],
            ["a.db", "--queries", "queries.ndjson", "--names-only"], ["a.db", text], ["a.db", "{\"\(json)"],
        ],
        "explain": [
            ["c.where('\(text)','==',1)", "--db", "a.db"], ["c.where('\(text)','==',1).orderBy('b')", "--db", "a.db"],
            [text, "--indexes", "indexes.json"],
        ],
        "indexes apply": [["d.db", "indexes.json"], ["d.db", "none.json", "--prune"], ["d.db", "bad.json"]],
        "indexes list": [["a.db"]],
        "verify": [["damaged.db"], [text]],
        "repair": [["damaged2.db", "--aside", text]],
        "stats": [["a.db"]],
        "backup": [["a.db", text + "/x"]],
        "compact": [["a.db", text + "/x"]],
        "ttl sweep": [["a.db"]],
        "plan-move": [["a.db"], ["a.db", "--project", text], [text]],
        "push": [
            ["a.db", "--project", "p", "--credentials", text], [text, "--project", "p", "--to-export", "moved"],
            ["a.db", "--project", "p", "--to-export", "good.ndjson/\(text)"],
        ],
        "pull": [["e.db", "--project", "p", "--credentials", text], ["e.db", "--from-export", text]],
        "validate": [["indexes.json", "bad.json", text], ["--explain", text], ["--rule", text, "indexes.json"]],
        "check": [
            ["--indexes", "indexes.json", "--queries", "queries.ndjson"], ["--queries", "queries.ndjson"],
            ["--queries", text],
        ],
        "advise": [
            ["--queries", "queries.ndjson"], ["--queries", "queries.ndjson", "--indexes", "indexes.json"],
            ["--queries", "queries.ndjson", "--indexes", "none.json", "--check"],
        ],
        "fmt": [["indexes.json"], ["bad.json"], ["indexes.json", "--check"]],
        "diff": [["indexes.json", "none.json"], ["none.json", "indexes.json"], ["bad.json", "indexes.json"]],
        "convert": [
            ["indexes.json", "--to", "terraform"], ["indexes.json", "--to", "gcloud"], ["bad.json", "--to", "json"],
            [text, "--to", "json"],
        ],
        "rules check": [["bad.rules"], [text]],
        "rules test": [
            ["--cases", "cases.ndjson"], ["--cases", "cases.ndjson", "--rules", "bad.rules"], ["--cases", text],
        ],
        "rules fmt": [["bad.rules"], [text]],
        "rules explain": [
            ["bad.rules", "--request", "{}"], ["good.rules", "--request", "{\"\(json)\":1}"],
            ["good.rules", "--request", #"{"method":"get","path":"c/\#(json)","auth":{"uid":"\#(json)"}}"#],
        ],
        "rules coverage": [["--cases", "cases.ndjson"], ["--cases", "cases.ndjson", "--rules", "good.rules"]],
        "rules prove": [
            ["good.rules", "--claim", "c/{d}: write only if request.auth.uid == '\(json)'"],
            ["good.rules", "--claim", text], ["bad.rules", "--claim", text],
        ],
        "link decode": [[text], ["https://x?create_composite=\(text)"]],
        "link encode": [["indexes.json", "--project", text]],
        "shell": [["a.db"], ["a.db", "--read-only"], [text]],
        "serve": [
            ["--indexes", "bad.json"], ["--indexes", text], ["--data", "/proc/\(text)"], ["--host", text],
            ["--port", "0", "--host", text],
        ],
        "exec": [
            ["--indexes", "bad.json", "--", "true"], ["--data", "good.ndjson/\(text)", "--", "true"],
            ["--indexes", "indexes.json", "--check", "--", "bash", "post.sh"],
            ["--mode", "record", "--write-indexes", "\(text)/x", "--", "bash", "post.sh"],
            ["--project", text, "--", "true"],
        ],
    ]

    /// Every command has its cases, runs them in every format that it lists, and gets an unknown option.
    @Test func noCommandPrintsThem() throws {
        try prepare()
        let commands = try HelpDump.commands(bench)
        #expect(Set(commands.map(\.name)) == Set(Self.cases.keys), "each command needs its cases here")
        var printed = 0
        for command in commands {
            let words = command.name.split(separator: " ").map(String.init)
            let cases = Self.cases[command.name, default: []] + [["--" + Self.text]]
            for arguments in cases {
                for format in [[]] + command.formats.map({ ["--format", $0] }) {
                    let run = try bench.hearth(arguments: words + arguments + format, input: Self.lines)
                    expectHarmless(run, words + arguments + format, isData: Self.data.contains(words + format))
                    printed += run.output.contains("u202e") || run.errors.contains("u202e") ? 1 : 0
                }
            }
        }
        #expect(printed > 60, "the text has to be printed, escaped, for the test to mean anything")
    }

    @Test(arguments: [["--" + text], [text], ["indexes", text], ["help", text]])
    func usageErrorsDoNotPrintThem(_ arguments: [String]) throws {
        expectHarmless(try bench.hearth(arguments: arguments), arguments)
    }

    /// Escaped text is the same JSON value.
    @Test func valuesStayTheSame() throws {
        try prepare()
        let exported = try bench.hearth("export", "a.db")
        #expect(try bench.hearth("import", "copy.db", "-", input: exported.output).code == 0)
        #expect(try bench.hearth("export", "copy.db").output == exported.output)
        let first = try #require(exported.lines.last)
        let object = try #require(try JSONSerialization.jsonObject(with: Data(first.utf8)) as? [String: Any])
        #expect(object["name"] as? String == "\(Self.text)/\(Self.text)")
        try bench.write("canonical.json", try bench.hearth("fmt", "indexes.json").output)
        #expect(try bench.hearth("fmt", "canonical.json", "--check").code == 0)
        #expect(try bench.hearth("diff", "canonical.json", "indexes.json").code == 0)
    }

    /// What is redirected is what was stored.
    @Test func dataKeepsItsText() throws {
        let text = "line1\nline2\ttab\r\nquote \" \u{200F}שלום\\n"
        let json = String(decoding: try JSONEncoder().encode(["s": text]), as: UTF8.self)
        #expect(try bench.hearth("set", "a.db", "t/a", json).code == 0)
        let expected = "__name__,s\nt/a,\"\(text.replacing("\"", with: "\"\""))\"\n"
        #expect(try bench.hearth("export", "a.db", "--collection", "t", "--format", "csv").output == expected)
        #expect(try bench.hearth("query", "a.db", "t.orderBy('s')", "--format", "csv").output == expected)
        try bench.write(
            "r.rules",
            "service cloud.firestore { match /databases/{d}/documents {\n// a\ttab\u{200F}\nallow read; } }")
        let printed = try bench.hearth("rules", "fmt", "r.rules").output
        #expect(printed.contains("// a\ttab\u{200F}\n"), "\(printed)")
        #expect(try bench.hearth("rules", "fmt", "r.rules", "--write").code == 0)
        #expect(String(decoding: try bench.contents("r.rules"), as: UTF8.self) == printed)
    }

    /// Colours still reach a terminal; those of stored text do not.
    @Test(.enabled(if: PseudoTerminal.isAvailable)) func coloursAreTheToolsOwn() throws {
        _ = try bench.hearth("set", "a.db", "c/d", #"{"s":"\u001b[31m\u009b31m\u202e"}"#)
        let shown = try PseudoTerminal.output(of: bench, #"query a.db "c.where('s','>','')""#)
        #expect(shown.contains("\u{1B}[1mdocument"), "\(shown)")
        #expect(shown.contains(#"\u001b[31m\u009b31m\u202e"#), "\(shown)")
        #expect(!shown.contains("\u{1B}[31m"))
        #expect(!shown.contains("\u{9B}") && !shown.contains("\u{202E}"))
        _ = try bench.hearth("set", "a.db", "c/d", #"{"s":"a\tb\u200f"}"#)
        let data = try PseudoTerminal.output(of: bench, "export a.db --format csv")
        #expect(data.contains(#"a\u0009b\u200f"#), "\(data)")
    }

    /// What other programs read keeps the characters of ordinary text, where it goes to no terminal.
    private static let data: Set<[String]> = [
        ["export", "--format", "csv"], ["query", "--format", "csv"], ["shell", "--format", "csv"], ["rules", "fmt"],
        ["rules", "coverage", "--format", "html"], ["convert"],
    ]
    /// For the search in all that is printed.
    private static let forbidden = Set(orders)
    private static let ordinary = "\t\r\u{61C}\u{200E}\u{200F}\u{2028}\u{2029}".unicodeScalars

    private func expectHarmless(_ run: Run, _ arguments: [String], isData: Bool = false) {
        #expect(run.code != nil, "\(arguments)")
        for (text, isData) in [(run.output, isData), (run.errors, false)] {
            let found = text.unicodeScalars.filter {
                Self.forbidden.contains($0) && !(isData && Self.ordinary.contains($0))
            }
            let codes = found.map { String($0.value, radix: 16) }
            #expect(codes.isEmpty, "\(arguments): in \(text.debugDescription)")
            // The parser repeats arguments unchanged. They are the caller's own.
            let isForged = text.utf8.split(separator: UInt8(ascii: "\n")).contains { $0.starts(with: "FORGED".utf8) }
            let mayForge = run.code == 64 || isData
            #expect(mayForge || !isForged, "\(arguments): a line of its own in \(text.debugDescription)")
        }
    }

    // MARK: The files

    private func prepare() throws {
        let (unquoted, json) = (Self.unquoted, Self.json)
        let document = """
            {"name":"\(json)/\(json)","fields":{"\(json)":{"stringValue":"\(json)"},"b":{"mapValue":{"fields":{"\(json)":\
            {"arrayValue":{"values":[{"stringValue":"\(json)"},{"referenceValue":"c/\(json)"}]}}}}}}}
            {"name":"c/\(json)","fields":{"s":{"stringValue":"\(json)"},"at":{"timestampValue":"2020-01-01T00:00:00Z"}}}
            {"name":"c/d","fields":{}}

            """
        try bench.write("good.ndjson", document)
        try bench.write(
            "bad.ndjson",
            """
            {"name":"\(json)//"}
            {"name":"c/__\(json)__"}
            {"name":"c/1","fields":{"a":{"\(json)":1}}}
            {"name":"c/1","fields":{"a":{"timestampValue":"\(json)"}}}
            {"name":"c/1","fields":{"__\(json)__":{"nullValue":null}}}
            \(unquoted)

            """)
        try bench.write(
            "bad.rules", "service \(Self.text) { match /\(Self.text) { allow \(Self.text): if '\(Self.text)")
        try bench.write(
            "good.rules",
            """
            service cloud.firestore { match /databases/{d}/documents { match /c/{x} {
              allow read, write: if resource.data.a == '\(json)' || x == '\(Self.unquoted)';
            } } }
            """)
        try bench.write(
            "cases.ndjson",
            """
            {"id":"\(json)","rules":"\(json)"}
            {"id":"\(json)","expr":"int('\(json)') == 1","documents":{},"request":{"method":"get","path":"c/\(json)"}}
            {"id":"\(json)","expr":"request.path.ab","documents":{},"request":{"method":"get","path":"c/d"},\
            "expect":{"allow":true,"status":"\(json)"}}

            """)
        try bench.write(
            "commits.ndjson",
            """
            {"id":"\(json)","writes":[{"update":{"name":"c/\(json)","fields":{"a":{"stringValue":"\(json)"}}},\
            "currentDocument":{"exists":false}}]}
            {"id":"x","writes":[{"delete":"\(json)/none","currentDocument":{"exists":true}}]}
            {"id":"x","writes":[{"\(json)":1}]}
            {"\(json)

            """)
        try bench.write("queries.ndjson", Self.queries)
        try bench.write("post.sh", Self.post)
        try bench.write("indexes.json", Self.indexes)
        try bench.write("none.json", "{\"indexes\":[],\"fieldOverrides\":[]}")
        try bench.write("bad.json", "{\"indexes\":[{\"\(json)\":1}],\"\(json)\":[],\"fieldOverrides\":\"\(json)\"}")
        for name in ["a.db", "c.db", "damaged.db", "damaged2.db"] {
            #expect(try bench.hearth("import", name, "good.ndjson").code == 0)
            let applied = try bench.hearth("indexes", "apply", name, "indexes.json")
            #expect(applied.code == 0, "\(applied)")
            expectHarmless(applied, ["indexes", "apply"])
        }
        for name in ["damaged.db", "damaged2.db"] { try damage(name) }
    }

    private static let indexes = """
        {"indexes":[{"collectionGroup":"\(json)","queryScope":"COLLECTION","fields":[\
        {"fieldPath":"`\(json)`","order":"ASCENDING"},{"fieldPath":"z","order":"DESCENDING"}]}],\
        "fieldOverrides":[{"collectionGroup":"\(json)","fieldPath":"`t\(json)`","indexes":[]},\
        {"collectionGroup":"c","fieldPath":"at","ttl":true,"indexes":[{"order":"ASCENDING","queryScope":"COLLECTION"}]},\
        {"collectionGroup":"c","fieldPath":"s","indexes":[{"order":"ASCENDING","queryScope":"COLLECTION_GROUP"}]}]}
        """

    /// Sends a query that needs an index, to a project and a database of such names.
    private static let post = """
        address=${FIRESTORE_EMULATOR_HOST/://}
        body='{"structuredQuery":{"from":[{"collectionId":"\(json)"}],"where":{"fieldFilter":{"field":{"fieldPath":\
        "`\(json.replacing("'", with: ""))`"},"op":"EQUAL","value":{"integerValue":"1"}}},"orderBy":[{"field":{"fieldPath":"b"}}]}}'
        [ -n "$address" ] && exec 3<> "/dev/tcp/$address" || exit
        path=/v1/projects/%1B%5B31m%E2%80%AE/databases/d%0AFORGED/documents:runQuery
        printf 'POST %s HTTP/1.1\\r\\nconnection: close\\r\\ncontent-length: %s\\r\\n\\r\\n%s' "$path" "$(printf %s "$body" | wc -c)" "$body" >&3
        cat <&3 > /dev/null

        """

    /// Changes a byte of a stored value, which its record's checksum detects.
    private func damage(_ name: String) throws {
        var bytes = try bench.contents(name)
        let place = try #require(bytes.range(of: Data("FORGED".utf8), options: .backwards))
        bytes[place.lowerBound] = UInt8(ascii: "f")
        try bytes.write(to: bench.folder.url.appending(path: name))
    }
}
