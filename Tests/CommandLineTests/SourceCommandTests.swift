// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// `check` and `advise` with `--source`.
@Suite struct SourceCommandTests {
    let bench: Workbench

    static let app = """
        import { collection, query, where, orderBy, getDocs } from 'firebase/firestore';
        const q = query(collection(db, 'users'), where('team', '==', team), orderBy('age', 'desc'));
        getDocs(q);
        getDocs(query(collection(db, 'users'), where('age', '>', 3)));
        export const recent = (ref) => ref.where('open', '==', true).get();

        """

    init() throws {
        bench = try Workbench()
        for folder in ["src/deep", "src/node_modules/x", "src/made"] {
            try FileManager.default.createDirectory(
                at: bench.folder.url.appending(path: folder), withIntermediateDirectories: true)
        }
        try bench.write("src/app.ts", Self.app)
        try bench.write(
            "src/deep/Store.swift", "let a = db.collectionGroup(\"tasks\").whereField(\"done\", isEqualTo: true)\n")
        try bench.write("src/node_modules/x/index.js", Self.app)
        try bench.write("src/made/app.js", Self.app)
        try bench.write("src/.gitignore", "made/\n")
        try bench.write("firestore.indexes.json", "{\n  // ours\n  \"indexes\": []\n}\n")
    }

    private func json(_ run: Run) throws -> [[String: Any]] {
        try run.lines.map { try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]) }
    }

    @Test func aLineForEachQuery() throws {
        let run = try bench.hearth("check", "--source", "src", "--format", "json")
        #expect(run.code == 1)
        let lines = try json(run)
        #expect(
            lines.compactMap { $0["file"] as? String } == Array(repeating: "src/app.ts", count: 3) + [
                "src/deep/Store.swift"
            ])
        #expect(lines.compactMap { $0["line"] as? Int } == [2, 4, 5, 1])
        #expect(lines[0]["query"] as? String == #"users.where("team","==",?).orderBy("age","desc")"#)
        #expect(lines[0]["served"] as? Bool == false)
        #expect(lines[0]["status"] as? String == "FAILED_PRECONDITION")
        #expect(lines[1]["served"] as? Bool == true)
        #expect(lines[2]["unresolved"] as? String == "its collection is the parameter 'ref'")
        #expect(lines[3]["language"] as? String == "swift")
    }

    @Test func filesUseConstantsOfOthers() throws {
        try FileManager.default.createDirectory(atPath: bench.path("names"), withIntermediateDirectories: true)
        try bench.write("names/app.ts", "db.collection(NAMES.users).where('a', '==', 1).get();\n")
        try bench.write("names/names.ts", "export const NAMES = { users: 'users' } as const;\n")
        let lines = try json(try bench.hearth("check", "--source", "names", "--format", "json"))
        #expect(lines.compactMap { $0["query"] as? String } == [#"users.where("a","==",1)"#])
    }

    @Test func aliasesOfTypeScript() throws {
        try FileManager.default.createDirectory(atPath: bench.path("web/app/deep"), withIntermediateDirectories: true)
        try bench.write("web/base.json", #"{"compilerOptions": {"paths": {"@acme/*": ["app/*"]}}}"#)
        try bench.write("web/app/tsconfig.json", "{\"extends\": \"../base\", // ours\n}")
        try bench.write("web/app/names.ts", "export const USERS = 'users';\n")
        let use = "import { USERS } from '@acme/names';\ndb.collection(USERS).where('a', '==', 1).get();\n"
        try bench.write("web/app/deep/use.ts", use)
        try bench.write("web/use.ts", use)
        let lines = try json(try bench.hearth("check", "--source", "web", "--format", "json"))
        #expect(lines.map { $0["query"] as? String } == [#"users.where("a","==",1)"#, nil])
    }

    /// However the folder is named, and as far up as the repository goes.
    @Test func whatTheRepositoryIgnoresIsLeftOut() throws {
        let manager = FileManager.default
        try manager.createDirectory(atPath: bench.path("repository/.git"), withIntermediateDirectories: true)
        try bench.write("repository/.gitignore", "generated/\n/app/src/made\n")
        for folder in ["generated", "made", "kept"] {
            let path = "repository/app/src/\(folder)"
            try manager.createDirectory(atPath: bench.path(path), withIntermediateDirectories: true)
            try bench.write("\(path)/a.js", Self.app)
        }
        try manager.createSymbolicLink(
            atPath: bench.path("link"), withDestinationPath: bench.path("repository/app"))
        let absolute = bench.path("repository/app/src")
        for source in [
            "repository", "./repository/app/src", "repository/app/src", "repository/app/src/", "link/src", absolute,
            "repository/../repository/app",
        ] {
            let found = try json(try bench.hearth("check", "--source", source, "--format", "json"))
            let files = found.compactMap { $0["file"] as? String }
            #expect(!files.isEmpty && files.allSatisfy { $0.hasSuffix("kept/a.js") }, "\(source): \(files)")
        }
    }

    /// An index of Git with these paths.
    private func gitIndex(_ paths: [String], version: UInt8) -> Data {
        var bytes = Array("DIRC".utf8)
        bytes += [0, 0, 0, version, 0, 0, 0, UInt8(paths.count)]
        var before = ""
        for path in paths {
            bytes += [UInt8](repeating: 0, count: 62)
            if version == 4 { bytes.append(UInt8(before.utf8.count)) }
            bytes += path.utf8
            bytes += [UInt8](repeating: 0, count: version == 4 ? 1 : 8 - (62 + path.utf8.count) % 8)
            before = path
        }
        return Data(bytes)
    }

    /// `.gitignore` names what is not tracked yet, and what is left out is counted.
    @Test(arguments: [UInt8(2), 4]) func whatTheRepositoryTracksIsRead(_ version: UInt8) throws {
        let manager = FileManager.default
        for folder in ["work/generated/deep", "work/kept", "work/other", "git"] {
            try manager.createDirectory(atPath: bench.path(folder), withIntermediateDirectories: true)
        }
        try bench.write("work/.git", "gitdir: ../git\n")
        try bench.write("work/.gitignore", "generated/\nother\n*.gen.js\n")
        let tracked = ["generated/deep/a.js", "generated/deep/a.json", "kept/a.js", "kept/b.gen.js"]
        try gitIndex(tracked, version: version).write(to: URL(filePath: bench.path("git/index")))
        for path in tracked + ["generated/b.js", "generated/deep/b.js", "other/a.js", "kept/c.gen.js"] {
            try bench.write("work/\(path)", Self.app)
        }
        let run = try bench.hearth("check", "--source", "work", "--format", "json")
        let files = Set(try json(run).compactMap { $0["file"] as? String })
        #expect(files == ["work/generated/deep/a.js", "work/kept/a.js", "work/kept/b.gen.js"])
        #expect(run.errors.contains("hearth: .gitignore leaves out 3 files and 1 folder\n"), "\(run.errors)")
    }

    @Test func fixAddsWhatIsMissingAndKeepsTheRest() throws {
        let run = try bench.hearth(
            "check", "--source", "src", "--indexes", "firestore.indexes.json", "--fix", "--format", "text")
        #expect(run.code == 0, "\(run.output)\(run.errors)")
        #expect(run.lines.last == "4 query sites in 2 files: 3 resolved, 1 unresolved, 0 without an index")
        let file = String(decoding: try bench.contents("firestore.indexes.json"), as: UTF8.self)
        #expect(file.contains("// ours") && file.contains("\"team\"") && file.contains("COLLECTION_GROUP"))
        #expect(try bench.hearth("validate", "firestore.indexes.json", "--strict").code == 0)
        let strict = try bench.hearth("check", "--source", "src", "--indexes", "firestore.indexes.json", "--strict")
        #expect(strict.code == 1)
    }

    /// Reading needs more stack than the program's own.
    @Test(arguments: [
        (60, "1 query site in 1 file: 1 resolved, 0 unresolved, 1 without an index"),
        (5_000, "1 query site in 1 file: 0 resolved, 1 unresolved, 0 without an index"),
    ])
    func deepCodeIsReadOrUnresolved(_ count: Int, _ summary: String) throws {
        let query = "StreamBuilder(stream: db.collection('c').where('a', isEqualTo: 1).orderBy('b').snapshots())"
        let open = String(repeating: "Column(children: [", count: count)
        let close = String(repeating: "])", count: count)
        try bench.write(
            "deep.dart",
            "import 'package:cloud_firestore/cloud_firestore.dart';\nfinal db = FirebaseFirestore.instance;\n"
                + "final page = \(open)\(query)\(close);\n")
        let run = try bench.hearth("check", "--source", "deep.dart", "--strict", "--format", "text")
        #expect(run.code == 1, "\(run.output)\(run.errors)")
        #expect(run.lines.last == summary)
    }

    @Test func findingsStandOnSourceLines() throws {
        let text = try bench.hearth("check", "--source", "src", "--format", "text")
        #expect(text.output.contains("src/app.ts:2:11: error: users.where"))
        #expect(text.lines.last == "4 query sites in 2 files: 3 resolved, 1 unresolved, 2 without an index")
        let sarif = try bench.hearth("check", "--source", "src", "--format", "sarif").output
        #expect(sarif.contains("\"startLine\": 2") && sarif.contains("\"unresolved-query\""))
        let github = try bench.hearth("check", "--source", "src", "--format", "github").output
        #expect(github.hasPrefix("::error file=src/app.ts,line=2,col=11,title=missing-index::"))
    }

    @Test func knownFindingsAreSilent() throws {
        let update = try bench.hearth("check", "--source", "src", "--baseline", "known.ndjson", "--update-baseline")
        #expect(update.code == 0)
        let run = try bench.hearth("check", "--source", "src", "--baseline", "known.ndjson", "--format", "text")
        #expect(run.code == 0)
        #expect(run.lines.count == 1)
        try bench.write("src/new.py", "db.collection('a').where('b', '==', 1).order_by('c').get()\n")
        #expect(try bench.hearth("check", "--source", "src", "--baseline", "known.ndjson").code == 1)
    }

    /// Whichever way the folder is written.
    @Test func filesAreKnownByOneSpelling() throws {
        try bench.write(
            ".hearth.json",
            #"{"rules":{},"source":{"collections":{"./src/app.ts:ref":"rooms"},"exclude":["./src/deep/"]}}"#)
        let plain = try bench.hearth("check", "--source", "src", "--format", "json")
        #expect(try json(plain)[2]["query"] as? String == #"rooms.where("open","==",true)"#)
        for spelling in ["./src", "src//", "././src/.", bench.path("src")] {
            #expect(try bench.hearth("check", "--source", spelling, "--format", "json").output == plain.output)
        }
        #expect(
            try bench.hearth("check", "--source", "./src/app.ts", "--format", "json").output.contains(#""src/app.ts""#))
    }

    @Test func namesAreMappedBySettings() throws {
        try bench.write(
            ".hearth.json", #"{"rules":{},"source":{"collections":{"src/app.ts:ref":"rooms"},"exclude":["src/deep"]}}"#)
        let lines = try json(try bench.hearth("check", "--source", "src", "--format", "json"))
        #expect(lines.count == 3)
        #expect(lines[2]["query"] as? String == #"rooms.where("open","==",true)"#)
    }

    /// They would be ignored in silence.
    @Test(arguments: [#"{"exclude":"legacy"}"#, #"{"exclude":[1]}"#, #"{"collections":["a"]}"#, #"["legacy"]"#])
    func malformedSettings(_ source: String) throws {
        try bench.write(".hearth.json", #"{"source":\#(source)}"#)
        let run = try bench.hearth("check", "--source", "src", "--indexes", "firestore.indexes.json")
        #expect(run.code == 2, "\(run.output)")
        #expect(run.errors.hasPrefix("hearth: \".hearth.json\": \"source\" must be like {"), "\(run.errors)")
    }

    @Test func adviceFromSource() throws {
        let run = try bench.hearth("advise", "--source", "src", "--format", "json")
        #expect(run.code == 0)
        let report = try json(Run(output: run.output.replacing("\n", with: ""), errors: "", code: 0))[0]
        #expect((report["indexes"] as? [Any])?.count == 1)
        #expect((report["fieldOverrides"] as? [Any])?.count == 1)
        #expect(run.errors.contains("1 query site could not be followed"))
        #expect(report["unresolved"] as? Int == 1)
    }

    /// A query that was not followed may need what no other one needs.
    @Test func whatIsUnusedAsFarAsIsKnown() throws {
        try bench.write(
            "unused.json",
            """
            {"indexes": [{"collectionGroup": "x", "queryScope": "COLLECTION", "fields": [
              {"fieldPath": "b", "order": "ASCENDING"}, {"fieldPath": "c", "order": "ASCENDING"}]}]}
            """)
        func unused(_ file: String) throws -> String? {
            let run = try bench.hearth("advise", "--source", file, "--indexes", "unused.json", "--format", "text")
            return run.lines.first { $0.hasPrefix("unused") }
        }
        #expect(try unused("src/app.ts")?.contains("no query that could be followed needs it") == true)
        #expect(try unused("src/deep/Store.swift")?.contains("no query needs it") == true)
    }

    @Test(arguments: [true, false]) func aFileInUTF16(isLittleEndian: Bool) throws {
        let plain = try bench.hearth("check", "--source", "src/app.ts", "--format", "json")
        let units = [0xFEFF] + Array(Self.app.utf16)
        let bytes = units.flatMap {
            isLittleEndian ? [UInt8($0 & 0xFF), UInt8($0 >> 8)] : [UInt8($0 >> 8), UInt8($0 & 0xFF)]
        }
        for mark in [2, 0] {
            try Data(bytes.dropFirst(2 - mark)).write(to: URL(filePath: bench.path("src/wide.ts")))
            let run = try bench.hearth("check", "--source", "src/wide.ts", "--format", "json")
            #expect(run.output == plain.output.replacing("src/app.ts", with: "src/wide.ts"))
            #expect(run.code == plain.code)
        }
    }

    /// Rules judge a query in source as they judge the same path in a file of queries: under its document.
    @Test(arguments: [true, false]) func rulesOfSubcollections(_ isRootOpen: Bool) throws {
        try bench.write(
            "x.rules",
            """
            rules_version = '2';
            service cloud.firestore {
              match /databases/{database}/documents {
                match /docs/{p} { allow list: if \(isRootOpen); }
                match /orgs/{o}/docs/{p} { allow list: if \(!isRootOpen); }
                match /users/{uid}/mail/{m} { allow list: if request.auth.uid == uid && resource.data.to == uid; }
              }
            }
            """)
        try bench.write(
            "deep.js",
            """
            db.collection('orgs').doc(o).collection('docs').where('a', '==', 1).get();
            db.collection('orgs').doc('x').collection('docs').where('a', '==', 1).get();
            db.collection('docs').where('a', '==', 1).get();
            db.collection('users').doc(uid).collection('mail').where('to', '==', uid).get();
            db.collection('users').doc('ada').collection('mail').where('to', '==', uid).get();

            """)
        try bench.write(
            "queries",
            """
            collection('orgs/v0/docs').where('a', '==', 1)
            collection('orgs/x/docs').where('a', '==', 1)
            docs.where('a', '==', 1)
            collection('users/v0/mail').where('to', '==', 'v0')
            collection('users/ada/mail').where('to', '==', 'v0')
            """)
        func users(_ option: String, _ path: String) throws -> [Bool?] {
            try json(try bench.hearth("check", "--rules", "x.rules", option, path, "--format", "json")).map {
                ($0["rules"] as? [String: Any])?["user"] as? Bool
            }
        }
        #expect(try users("--source", "deep.js") == [!isRootOpen, !isRootOpen, isRootOpen, true, false])
        #expect(try users("--queries", "queries") == users("--source", "deep.js"))
    }

    /// A finding says why an index that is nearly the one does not serve.
    @Test func theClosestIndex() throws {
        try bench.write("one.js", "db.collection('c').where('a', '==', 1).orderBy('b').get()\n")
        try bench.write("one.txt", "c.where('a','==',1).orderBy('b')\n")
        try bench.write(
            "c.json",
            """
            {"indexes": [{"collectionGroup": "c", "queryScope": "COLLECTION", "fields": [
              {"fieldPath": "a", "order": "ASCENDING"}, {"fieldPath": "b", "order": "ASCENDING"},
              {"fieldPath": "__name__", "order": "DESCENDING"}]}]}
            """)
        let reason = "Its __name__ runs DESCENDING, the query needs ASCENDING."
        let sentence =
            "The closest index does not serve it: c COLLECTION (a ASC, b ASC, __name__ DESC). \(reason) Add {\"indexes\""
        for input in [["--source", "one.js"], ["--queries", "one.txt"]] {
            let lines = try json(
                try bench.hearth(arguments: ["check", "--indexes", "c.json", "--format", "json"] + input))
            #expect((lines[0]["closest"] as? [String: Any])?["reason"] as? String == reason)
            let github = try bench.hearth(arguments: ["check", "--indexes", "c.json", "--format", "github"] + input)
            #expect(github.output.contains(sentence), "\(github.output)")
        }
        let text = try bench.hearth("check", "--source", "one.js", "--indexes", "c.json", "--format", "text")
        #expect(text.output.contains(sentence), "\(text.output)")
    }

    /// `hearth: ignore` asks for no index, and takes none away from the query.
    @Test func silencedQueries() throws {
        try bench.write(
            "one.js", "// hearth: ignore\ndb.collection('a').where('b', '==', 1).orderBy('c').get()\n")
        #expect(try bench.hearth("check", "--source", "one.js").code == 0)
        let nothing = try bench.hearth("advise", "--source", "one.js", "--format", "text")
        #expect(nothing.output.contains("need 0 composite indexes"), "\(nothing.output)")
        let index = """
            {"indexes": [{"collectionGroup": "a", "queryScope": "COLLECTION", "fields": [
              {"fieldPath": "b", "order": "ASCENDING"}, {"fieldPath": "c", "order": "ASCENDING"}]}]}
            """
        try bench.write("a.json", index)
        let edited = try bench.hearth(
            "advise", "--source", "one.js", "--output", "a.json", "--prune", "--prune-unused", "a")
        #expect(edited.code == 0)
        #expect(String(decoding: try bench.contents("a.json"), as: UTF8.self) == index)
    }

    @Test func usage() throws {
        #expect(try bench.hearth("check").code == 64)
        #expect(try bench.hearth("check", "--source", "src", "--queries", "q").code == 64)
        #expect(try bench.hearth("check", "--source", "src", "--fix").code == 64)
        #expect(try bench.hearth("check", "--source", "none").code == 2)
        #expect(try bench.hearth("check", "--source", "firestore.indexes.json").code == 2)
        #expect(try bench.hearth("check", "--source", "src/made/app.js", "--format", "json").lines.count == 3)
    }
}

/// Queries copied from programs, where query text is taken.
@Suite struct PastedQueryTests {
    let bench: Workbench

    init() throws {
        bench = try Workbench()
        try bench.write("i.json", #"{"indexes":[]}"#)
        try bench.write(
            "d.ndjson",
            ["a", "b"].map {
                #"{"name":"cities/\#($0)","fields":{"state":{"stringValue":"\#($0)"},"n":{"integerValue":"1"}}}"#
            }
            .joined(separator: "\n") + "\n")
    }

    @Test(arguments: [
        #"query(collection(db, "cities"), where("state", "==", state), orderBy("n", "desc"))"#,
        #"db.collection("cities").whereField("state", isEqualTo: state).order(by: "n", descending: true)"#,
        #"db.collection("cities").whereEqualTo("state", state).orderBy("n", Query.Direction.DESCENDING)"#,
        #"FirebaseFirestore.instance.collection('cities').where('state', isEqualTo: state).orderBy('n', descending: true)"#,
        #"db.collection("cities").where(filter=FieldFilter("state", "==", state)).order_by("n", direction=firestore.Query.DESCENDING)"#,
        #"client.Collection("cities").Where("state", "==", state).OrderBy("n", firestore.Desc)"#,
        #"db.Collection("cities").WhereEqualTo("state", state).OrderByDescending("n")"#,
        #"$db->collection('cities')->where('state', '=', $state)->orderBy('n', 'DESC')"#,
        #"cities.where("state", "==", state).orderBy("n", "desc")"#,
    ])
    func anyLanguage(_ query: String) throws {
        let run = try bench.hearth("explain", query, "--indexes", "i.json", "--format", "json")
        #expect(run.code == 1)
        #expect(
            run.output.contains(#"{"fieldPath":"state","order":"ASCENDING"},{"fieldPath":"n","order":"DESCENDING"}"#),
            "\(run.output)\(run.errors)")
        try bench.write("q.txt", query + "\n")
        #expect(
            try bench.hearth("check", "--queries", "q.txt", "--indexes", "i.json", "--format", "json").output.contains(
                "missingIndex"))
        // What is cut off may have been more of the query.
        let cut = try bench.hearth("explain", String(query.dropLast()), "--indexes", "i.json")
        #expect(cut.code == 64)
        #expect(cut.errors.contains("cut off: nothing closes the last '('"), "\(cut.errors)")
    }

    @Test func valuesFillVariables() throws {
        #expect(try bench.hearth("import", "my.db", "d.ndjson").code == 0)
        let query = #"db.collection("cities").whereField("state", isEqualTo: state).limit(to: most)"#
        let run = try bench.hearth("query", "my.db", query, "--values", "state=a", "--values", "most=5", "--names-only")
        #expect(run.output.contains(#""names":["cities/a"]"#), "\(run.output)\(run.errors)")
        let without = try bench.hearth("query", "my.db", query)
        #expect(without.code == 64)
        #expect(without.errors.contains("--values state=VALUE"))
    }

    @Test func valuesThatNothingReads() throws {
        #expect(try bench.hearth("import", "my.db", "d.ndjson").code == 0)
        let query = #"db.collection("cities").whereField("state", isEqualTo: state)"#
        try bench.write("q.txt", query + "\n")
        for arguments in [
            ["query", "my.db", query], ["query", "my.db", "--queries", "q.txt"], ["explain", query, "--db", "my.db"],
            ["explain", query, "--indexes", "i.json"],
        ] {
            let known = arguments + ["--values", "state=a"]
            #expect(try bench.hearth(arguments: known).code == 0)
            let other = try bench.hearth(arguments: known + ["--values", "stat=b"])
            #expect(other.code == 64 && other.errors.contains("a variable of the name stat\n"), "\(other)")
            let twice = try bench.hearth(arguments: known + ["--values", "state=b"])
            #expect(twice.code == 64 && twice.errors.contains("--values gives state two values"), "\(twice)")
        }
    }

    @Test func aVariableIsNoCollection() throws {
        for query in ["circlesQuery.where('a','==',1)", "usersRef.orderBy('a')"] {
            let run = try bench.hearth("explain", query, "--indexes", "i.json")
            #expect(run.code == 64)
            #expect(run.errors.contains("is a variable"), "\(run.errors)")
        }
    }

    @Test func requestsAndAuditLogs() throws {
        let query =
            #""parent":"projects/p/databases/(default)/documents/users/u","structuredQuery":{"from":[{"collectionId":"c"}],"where":{"fieldFilter":{"field":{"fieldPath":"__name__"},"op":"EQUAL","value":{"referenceValue":"projects/p/databases/(default)/documents/users/u/c/d"}}}}"#
        try bench.write(
            "q.ndjson",
            "{\(query)}\n" + #"{"protoPayload":{"methodName":"google.firestore.v1.Firestore.RunQuery","request":{"#
                + query + "}}}\n"
                + #"{"protoPayload":{"request":{"addTarget":{"query":{"# + query + "}}}}}\n")
        let run = try bench.hearth("check", "--queries", "q.ndjson", "--format", "json")
        #expect(run.code == 0, "\(run.output)")
        #expect(run.lines.count == 3)
    }

    @Test func linksOfQueriesAndInMessages() throws {
        let links = try bench.hearth("link", "encode", "cities.where('a','==',a).orderBy('b')", "--project", "p")
        #expect(links.code == 0)
        let message =
            "FAILED_PRECONDITION: The query requires an index. You can create it here: \(links.lines.first ?? "").\n"
        let run = try bench.hearth("link", "decode", "-", input: "noise\n" + message + message)
        #expect(run.code == 0, "\(run.errors)")
        #expect(run.output.contains("\"collectionGroup\": \"cities\""))
        #expect(try bench.hearth("link", "decode", "-", input: "nothing").code == 64)
        #expect(try bench.hearth("link", "decode", "-", input: "no link here").code == 2)
    }
}
