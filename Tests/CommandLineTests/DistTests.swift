// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// What `make dist` puts beside the program.
@Suite struct DistTests {
    /// The swift on the PATH may be a program that chooses a toolchain, as swiftly's is: the licence is the toolchain's.
    @Test func noticesOfTheToolchain() throws {
        let bench = try Workbench()
        let share = bench.path("tool chain/usr/share/swift")
        try FileManager.default.createDirectory(atPath: share, withIntermediateDirectories: true)
        try bench.program(
            "swift",
            """
            [ "$*" = -print-target-info ] || exit 1
            echo '    "runtimeResourcePath": "\(bench.path("tool chain/usr/lib/swift"))"'
            """)
        try bench.write("objects", "Build/Linked.build/a.o\n")
        for package in ["linked/Sources/Linked", "other/Sources/Other"] {
            try FileManager.default.createDirectory(
                atPath: bench.path("checkouts/\(package)"), withIntermediateDirectories: true)
        }
        try bench.write("checkouts/linked/LICENSE", "the licence of what is linked\n")
        let script = Locations.packageRoot.appending(path: "Scripts/dist/notices.sh").path
        // What is missing is told before the build.
        let missing = try bench.bash([script, "--check"])
        #expect(missing.code == 1 && missing.errors.contains("there is no \(share)/LICENSE.txt"), "\(missing)")
        try bench.write("tool chain/usr/share/swift/LICENSE.txt", "the licence of the toolchain\n")
        guard try bench.bash([script, "--check"]).code == 0 else {
            return print("DistTests: skipped: Debian's licences of LMDB and GCC are not here")
        }
        let run = try bench.bash([script, "objects", "checkouts"])
        #expect(run.code == 0, "\(run.errors)")
        #expect(run.lines.contains("the licence of the toolchain"))
        #expect(run.lines.contains("the licence of what is linked"))
        #expect(!run.lines.contains("other"))
    }
}
