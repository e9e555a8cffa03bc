// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// What a shell can do to a program: names that are no text, limits.
@Suite struct SurroundingsTests {
    let bench: Workbench

    init() throws {
        bench = try Workbench()
    }

    /// - Parameter script: in it, "$0" is the program.
    private func bash(_ script: String) throws -> Run {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/bash")
        process.arguments = ["-c", script, try Locations.program("hearth").path]
        process.currentDirectoryURL = bench.folder.url
        let (output, errors) = (Pipe(), Pipe())
        (process.standardOutput, process.standardError) = (output, errors)
        try process.start()
        let printed = try output.fileHandleForReading.readToEnd() ?? Data()
        let said = try errors.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return Run(
            output: String(decoding: printed, as: UTF8.self), errors: String(decoding: said, as: UTF8.self),
            code: process.terminationReason == .exit ? process.terminationStatus : nil)
    }

    /// Two such names were one file.
    @Test func namesThatAreNoText() throws {
        let run = try bash(#"exec "$0" set "$(printf 'caf\351.db')" a/b '{}'"#)
        #expect(run.code == 64)
        #expect(run.errors.hasPrefix("Error: an argument is not UTF-8"), "\(run.errors)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: bench.folder.url.path).isEmpty)
    }

    @Test func aLimitOnFileSizes() throws {
        let lines = (0..<2_000).map { #"{"name":"c/\#($0)","fields":{"a":{"integerValue":"\#($0)"}}}"# }
        #expect(try bench.hearth("import", "a.db", "-", input: lines.joined(separator: "\n")).code == 0)
        let run = try bash(#"ulimit -f 100; exec "$0" set a.db c/new '{"a":1}'"#)
        #expect(run.code == 2)
        #expect(run.errors.contains("Raise the limit on file sizes (`ulimit -f`)"), "\(run.errors)")
        #expect(try bench.hearth("verify", "a.db").code == 0)
        #expect(try bench.hearth("set", "a.db", "c/new", #"{"a":1}"#).code == 0)
    }

    /// Who asked for a record would judge too few queries by it.
    @Test func aRecordThatCannotBeWritten() throws {
        #expect(try bench.hearth("set", "a.db", "c/d", #"{"a":1}"#).code == 0)
        let record = #"exec "$0" query a.db "c.where('a','==',1)" --names-only --format plain --record log.ndjson"#
        #expect(try bash(record).code == 0)
        let line = try bench.contents("log.ndjson")
        try bench.write("log.ndjson", String(repeating: String(decoding: line, as: UTF8.self), count: 20))
        let run = try bash("ulimit -f 1; " + record)
        #expect(run.code == 2 && run.output == "c/d\n", "\(run.output)")
        #expect(run.errors.contains("\"log.ndjson\" does not have all queries"), "\(run.errors)")
    }
}
