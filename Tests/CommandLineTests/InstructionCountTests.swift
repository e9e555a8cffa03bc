// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Scripts/count-instructions.sh, with a valgrind that counts nothing.
@Suite struct InstructionCountTests {
    let bench: Workbench
    private let script = Locations.packageRoot.appending(path: "Scripts/count-instructions.sh").path

    init() throws {
        bench = try Workbench()
    }

    /// Counts of one kind of machine say nothing about those of another.
    @Test func anotherMachine() throws {
        try bench.program("uname", "echo another")
        try bench.program("valgrind", "echo counted >&2; exit 1")
        let run = try bench.bash([script, "program"])
        #expect(run.code == 0 && run.errors.isEmpty, "\(run)")
        #expect(run.output.hasSuffix("are recorded and this is another, so nothing is compared\n"), "\(run)")
    }

    /// Valgrind ends with the script.
    @Test func ended() throws {
        // The machine whose counts are recorded.
        let counts = Locations.packageRoot.appending(path: "Sources/EngineBench/InstructionCounts.txt")
        let line = try #require(try String(contentsOf: counts, encoding: .utf8).split(separator: "\n").first)
        let machine = try #require(line.split(separator: " ").last)
        try bench.program("uname", "echo \(machine)")
        // The script has another working folder.
        let pid = bench.path("pid")
        try bench.program("valgrind", "echo $$ > '\(pid).new'; mv '\(pid).new' '\(pid)'; exec sleep 600")
        let run = try bench.bash([
            "-c",
            """
            "$0" program & script=$!
            until [ -e pid ]; do kill -0 $script || exit 3; sleep 0.05; done
            kill $script; code=0; wait $script || code=$?
            echo "ended with $code"
            if kill -0 $(cat pid) 2> /dev/null; then echo 'valgrind runs'; kill $(cat pid); fi
            """, script,
        ])
        #expect(run.code == 0 && run.output == "ended with 143\n", "\(run)")
    }
}
