// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// `make install`.
@Suite struct InstallTests {
    let bench: Workbench

    init() throws {
        bench = try Workbench()
        try bench.program("swift", "echo building; exit 3")
    }

    private func install(_ prefix: String) throws -> Run {
        try bench.bash(
            ["-c", #"make --no-print-directory -C "$0" install PREFIX="$1""#, Locations.packageRoot.path, prefix])
    }

    /// A place that cannot be written is named before the build. Below a file there is no folder, for root neither.
    @Test func placeThatCannotBeWritten() throws {
        try bench.write("file", "")
        let run = try install(bench.path("file/below"))
        #expect(run.code == 2 && !run.output.contains("building"), "\(run)")
        let reason = "make install: cannot write to \(bench.path("file/below/bin")); choose another place with PREFIX="
        #expect(run.errors.hasPrefix(reason), "\(run.errors)")
        // Folders that are missing are made, after the build.
        let new = try install(bench.path("new/place"))
        #expect(new.output.contains("building") && !new.errors.contains("PREFIX="), "\(new)")
    }
}
