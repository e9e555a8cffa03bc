// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// What `make dist` puts beside the program.
@Suite struct DistTests {
    /// The program, CHANGELOG.md and what pre-commit installs have one version.
    @Test(arguments: ["1.2.3 1.2.3 1.2.3", "1.2.2 1.2.3 1.2.3", "1.2.3 1.2.2 1.2.3", "1.2.3 1.2.3 1"])
    func version(_ text: String) throws {
        let versions = text.split(separator: " ")
        let (changes, hooks, wheel) = (versions[0], versions[1], versions[2])
        let bench = try Workbench()
        for folder in ["Scripts/dist", "Sources/HearthCLI"] {
            try FileManager.default.createDirectory(atPath: bench.path(folder), withIntermediateDirectories: true)
        }
        let script = "Scripts/dist/version.sh"
        try FileManager.default.copyItem(
            atPath: Locations.packageRoot.appending(path: script).path, toPath: bench.path(script))
        try bench.write("Sources/HearthCLI/HearthCommand.swift", "        version: \"1.2.3\",\n")
        try bench.write("CHANGELOG.md", "# Changes\n\n## \(changes) – today\n")
        try bench.write(
            "pyproject.toml", "version = \"\(hooks)\"\ndependencies = [\"hearth-firestore==\(wheel)\"]\n")
        let run = try bench.bash([script])
        let agrees = versions.allSatisfy { $0 == "1.2.3" }
        #expect(run.output == (agrees ? "1.2.3\n" : ""), "\(run)")
        #expect(run.code == (agrees ? 0 : 1), "\(run)")
    }

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

    /// Versions are numbers, and compilers for other machines do not count.
    @Test func noticesOfTheNewestCompiler() throws {
        let bench = try Workbench()
        try bench.program("swift", "echo '    \"runtimeResourcePath\": \"\(bench.path("usr/lib/swift"))\"'")
        let compilers = ["9", "10", "12", "12-cross", "13-cross", "mingw-w64"].map { "usr/share/doc/gcc-\($0)-base" }
        for folder in ["usr/share/swift", "checkouts", "usr/share/doc/liblmdb-dev"] + compilers {
            try FileManager.default.createDirectory(
                atPath: bench.path(folder), withIntermediateDirectories: true)
            try bench.write("\(folder)/copyright", "the text of \(folder)\n")
        }
        try bench.write("usr/share/swift/LICENSE.txt", "the text of the toolchain\n")
        try bench.write("objects", "")
        let script = Locations.packageRoot.appending(path: "Scripts/dist/notices.sh").path
        let run = try bench.bash([script, "objects", "checkouts"], ["HEARTH_DOCUMENTS": bench.path("usr/share/doc")])
        #expect(run.code == 0, "\(run.errors)")
        #expect(
            run.lines.filter { $0.hasPrefix("the text of ") } == [
                "the text of the toolchain", "the text of usr/share/doc/liblmdb-dev",
                "the text of usr/share/doc/gcc-12-base",
            ], "\(run)")
    }
}
