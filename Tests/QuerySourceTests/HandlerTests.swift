// SPDX-License-Identifier: Apache-2.0

import QuerySource
import Testing

/// Handlers of errors may run after any part of what they guard.
@Suite struct HandlerTests {
    private static let cases: [(path: String, source: String, query: String)] = [
        ("a.js", "async function load(u) { try { return await g(u); } catch (e) { log(e); } Q; }", "js"),
        ("a.js", "async function load(u) { try { return await g(u); } catch { Q; } }", "js"),
        ("a.js", "async function load(u) { try { return await g(u); } catch (e) { return 1; } finally { Q; } }", "js"),
        ("a.js", "async function load(u) { try { return await g(u); } finally { Q; } }", "js"),
        ("a.js", "const f = onCall(async (r) => { try { throw 1; } catch (e) { if (e) { return 1; } } Q; });", "js"),
        ("a.dart", "Future<A> load() async { try { return await g(); } on X catch (e) { log(e); } Q; }", "dart"),
        (
            "a.dart", "Future<A> load() async { try { return await g(); } on X { return 1; } catch (e, s) { Q; } }",
            "dart"
        ),
        ("a.dart", "Future<A> load() async { try { return await g(); } finally { Q; } }", "dart"),
        (
            "a.java", "class A { Object load() { try { return g(); } catch (IOException | X e) { log(e); } Q; } }",
            "java"
        ),
        ("a.java", "class A { Object load() { try (R r = o()) { return g(); } catch (X e) { Q; } } }", "java"),
        ("a.java", "class A { Object load() { try { return g(); } finally { Q; } } }", "java"),
        ("a.kt", "fun load(): A { try { return g() } catch (e: X) { log(e) }\nQ\n}", "java"),
        ("a.kt", "fun load(): A { return try { g() } catch (e: X) { Q } }", "java"),
        ("a.kt", "fun load(): A = try { g() } catch (e: X) { null } finally { Q }", "java"),
        ("a.swift", "func load() async throws -> A { do { return try await g() } catch X.y { log() }\nQ\n}", "swift"),
        ("a.swift", "func load() async throws -> A { do { return try await g() } catch { Q } }", "swift"),
        ("a.cs", "class A { object Load() { try { return G(); } catch (X e) when (e.A) { Log(e); } Q; } }", "cs"),
        ("a.cs", "class A { object Load() { try { return G(); } catch { Q; } } }", "cs"),
        ("a.php", "<?php function load() { try { return g(); } catch (\\X $e) { log($e); } Q; }", "php"),
        ("a.php", "<?php function load() { try { return g(); } catch (X | Y $e) { return 1; } finally { Q; } }", "php"),
        ("a.py", "def load():\n  try:\n    return g()\n  except X as e:\n    log(e)\n  Q\n", "py"),
        ("a.py", "def load():\n  try:\n    return g()\n  except X as e:\n    Q\n", "py"),
        ("a.py", "def load():\n  try:\n    return g()\n  finally:\n    Q\n", "py"),
        ("a.py", "def load():\n  try:\n    g()\n  except X:\n    return 1\n  else:\n    Q\n", "py"),
    ]

    private static let queries = [
        "js": "db.collection('c').where('a', '==', 1).orderBy('b').get()",
        "dart": "db.collection('c').where('a', isEqualTo: 1).orderBy('b').get()",
        "java": "db.collection(\"c\").whereEqualTo(\"a\", 1).orderBy(\"b\").get()",
        "swift": "db.collection(\"c\").whereField(\"a\", isEqualTo: 1).order(by: \"b\").getDocuments()",
        "cs": "db.Collection(\"c\").WhereEqualTo(\"a\", 1).OrderBy(\"b\").GetSnapshotAsync()",
        "php": "$db->collection('c')->where('a', '=', 1)->orderBy('b')->documents()",
        "py": "db.collection('c').where('a', '==', 1).order_by('b').get()",
    ]

    @Test func handlersAndWhatFollowsThem() {
        for (path, source, query) in Self.cases {
            let source = source.replacing("Q", with: Self.queries[query] ?? "")
            #expect(
                sites(source, path).map { $0.drop { $0 != " " } } == [" c.where(\"a\",\"==\",1).orderBy(\"b\")"],
                "\(source)")
        }
    }

    /// What a variable is after each way.
    @Test func valuesAfterHandlers() {
        func query(_ body: String) -> [String] {
            sites("async function f() {\nlet q = db.collection('c');\n\(body)\n}", "a.js")
        }
        let end = "return q.get();"
        #expect(query("try { q = q.orderBy('a'); } catch { return; }\n\(end)") == ["3 c.orderBy(\"a\")"])
        #expect(query("try { q = q.orderBy('a'); } catch { log(); }\n\(end)") == ["3 c", "3 c.orderBy(\"a\")"])
        #expect(
            query("try { q = q.orderBy('a'); } catch { q = db.collection('d'); }\n\(end)")
                == ["3 c.orderBy(\"a\")", "3 d"])
        #expect(query("try { q = q.orderBy('a'); } catch { \(end) }") == ["3 c", "3 c.orderBy(\"a\")"])
        #expect(query("try { q = q.orderBy('a'); } finally { log(); }\n\(end)") == ["3 c.orderBy(\"a\")"])
        #expect(query("try { return 1; } catch { return 2; }\n\(end)") == [])
        // What no handler changes does not multiply.
        let several = String(repeating: "try { x = g(); log(); } catch { log(); }\n", count: 40)
        #expect(query("try { q = q.limit(3); } catch { log(); }\n\(several)\(end)").count == 2)
    }
}
