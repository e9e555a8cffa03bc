// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Damaged input of the commands about index files gives an exit code of the contract, never a signal.
@Suite struct DamagedInputTests {
    let bench: Workbench

    init() throws {
        bench = try Workbench()
    }

    private static func fuzz(_ name: String) -> JSONFuzz {
        JSONFuzz(seed: SeededGenerator.printingSeed(name).seed)
    }

    /// Every line gets its answer, whatever the other lines hold.
    @Test func queries() throws {
        var fuzz = Self.fuzz("queries")
        let lines = try ["chat", "shop", "tasks", "social-feed", "multi-tenant", "cities"].flatMap { name in
            let file = Locations.packageRoot.appending(path: "IndexConfigs/\(name)/queries.ndjson")
            return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map { Array($0.utf8) }
        }
        var text: [UInt8] = []
        var count = 0
        for _ in 0..<3_000 {
            let line = fuzz.damage(fuzz.pick(lines)).filter { $0 != UInt8(ascii: "\n") }
            guard line.contains(where: { $0 > 0x20 }) else { continue }
            text += line + [UInt8(ascii: "\n")]
            count += 1
        }
        try Data(text).write(to: bench.folder.url.appending(path: "q.ndjson"))
        let check = try bench.hearth("check", "--queries", "q.ndjson")
        #expect(check.code == 1)
        #expect(check.lines.count == count)
        #expect(check.lines.contains { $0.contains("INVALID_ARGUMENT") } && check.output.contains(#""served":true"#))
        let advice = try bench.hearth("advise", "--queries", "q.ndjson", "--output", "out.json")
        #expect(advice.code == 1, "some lines cannot be read")
        #expect(try bench.hearth("validate", "out.json").code == 0)
    }

    @Test func settings() throws {
        var fuzz = Self.fuzz("settings")
        let sound = Array(#"{"rules":{"redundant-index":"off","unknown-key":"error"}} // why"#.utf8)
        for _ in 0..<60 {
            let source = fuzz.damage(sound)
            try Data(source).write(to: bench.folder.url.appending(path: ".hearth.json"))
            let run = try bench.hearth("validate", "-", input: #"{"indexes":[],"x":1}"#)
            #expect([0, 1, 2].contains(run.code ?? -1), "\(String(decoding: source, as: UTF8.self)): \(run)")
            #expect(run.code != 2 || run.errors.hasPrefix("hearth: \".hearth.json\": "), "\(run.errors)")
        }
    }

    @Test func links() throws {
        var fuzz = Self.fuzz("links")
        let file = Locations.packageRoot.appending(path: "IndexConfigs/shop/firestore.indexes.json").path
        let links = try bench.hearth("link", "encode", file, "--project", "p").lines
        try #require(!links.isEmpty)
        for _ in 0..<60 {
            let bytes = fuzz.damage(Array(fuzz.pick(links).utf8)).filter { $0 != 0 }
            let run = try bench.hearth("link", "decode", "--", String(decoding: bytes, as: UTF8.self))
            #expect(run.code == 0 || run.code == 64, "\(run)")
        }
    }
}
