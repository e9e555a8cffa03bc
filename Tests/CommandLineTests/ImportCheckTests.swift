// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// `Scripts/check-imports.py`, by which `make lint` finds imports that a target does not declare.
@Suite struct ImportCheckTests {
    let bench: Workbench

    init() throws {
        bench = try Workbench()
        // A target Low, and a target High with files in a folder of its own, which depends on Low and on two products.
        try bench.write(
            "package.json",
            #"""
            {"targets":[
              {"name":"Low","type":"regular","dependencies":[]},
              {"name":"High","type":"executable","path":"Sources/Top","dependencies":[
                {"byName":["Low",null]},{"product":["Wire","wire",null,{"platformNames":[],"traits":["Server"]}]},
                {"target":["Side",{"platformNames":["linux"]}]}]},
              {"name":"Side","type":"regular","dependencies":[{"product":["Other","other",null,null]}]},
              {"name":"LowTests","type":"test","dependencies":[{"byName":["Low",null]}]}]}
            """#)
        for folder in ["Sources/Low/Inner", "Sources/Top", "Sources/Side", "Tests/LowTests"] {
            try FileManager.default.createDirectory(atPath: bench.path(folder), withIntermediateDirectories: true)
        }
        try bench.write(
            "Sources/Top/main.swift",
            "internal import Foundation\n@testable import Low\n#if Server\n    package import struct Wire.Frame\n#endif\n"
                + "import Side\n")
        try bench.write("Sources/Side/side.swift", "@_exported public import Other\n")
        try bench.write("Tests/LowTests/test.swift", "import Testing\n@testable internal import Low\n")
    }

    private func check() throws -> Run {
        let script = Locations.packageRoot.appending(path: "Scripts/check-imports.py").path
        return try bench.bash(["-c", "exec python3 \"$0\" . < package.json", script])
    }

    @Test func onlyUndeclaredImportsAreFound() throws {
        // What is no code imports nothing.
        let text =
            "// import Side\n/*\nimport Side\n*/\nlet a = \"\"\"\n    import Side\n    \"\"\"\n"
            + "let b = #\"\"\"\nimport Side\n\"\"\"#\n"
        try bench.write("Sources/Low/Inner/low.swift", text)
        let none = try check()
        guard none.code != 127 else { return print("ImportCheckTests: skipped: python3 is not installed") }
        #expect(none.code == 0 && none.output == "", "\(none)")
        try bench.write(
            "Sources/Low/Inner/low.swift", text + "internal import Side\n    @preconcurrency import func Wire.send\n")
        try bench.write("Tests/LowTests/test.swift", "import Low\nimport Other\n")
        let found = try check()
        #expect(found.code == 1)
        #expect(
            found.output == """
                error: a target imports only what it declares in Package.swift
                    Sources/Low/Inner/low.swift:11: Side is no dependency of Low
                    Sources/Low/Inner/low.swift:12: Wire is no dependency of Low
                    Tests/LowTests/test.swift:2: Other is no dependency of LowTests

                """, "\(found)")
    }
}
