// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// `make bench`, with builds and benchmarks that only say what they were called for.
@Suite struct BenchTargetTests {
    /// The benchmarks know which rows need a server; it is built for those.
    @Test(arguments: [true, false]) func server(_ isNeeded: Bool) throws {
        let bench = try Workbench()
        for tool in ["pkg-config", "python3"] { try bench.program(tool, "exit 0") }
        try bench.program(
            "swift",
            """
            case "$*" in
            *--show-bin-path*) echo '\(bench.folder.url.path)' ;;
            *) echo "swift $*" ;;
            esac
            """)
        try bench.program(
            "hearth-benchmarks",
            """
            [ "$*" != "--rows ^listen --needs-server" ] || exit \(isNeeded ? 0 : 1)
            echo "benchmarks $*: $HEARTH_PROGRAM"
            """)
        let run = try bench.bash(
            ["-c", #"make --no-print-directory -C "$0" bench ROWS='^listen' SIZE=10"#, Locations.packageRoot.path])
        #expect(run.code == 0, "\(run)")
        #expect(run.output.contains("--traits Server,Connected") == isNeeded, "\(run)")
        let program = isNeeded ? bench.folder.url.path + "/hearth" : ""
        #expect(run.lines.last == "benchmarks --rows ^listen --size 10: \(program)", "\(run)")
    }
}
