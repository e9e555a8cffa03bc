// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// `make install`, the manual page that it brings, and `make clean`.
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

    /// `hearth.db` is the library's default name: a cleaning cannot know whose documents are in it.
    @Test func cleaningSparesDatabases() throws {
        for name in ["hearth.db", "cities.db", "dist"] { try bench.write(name, "") }
        let clean = #"make --no-print-directory -C "$1" -f "$0/Makefile" clean"#
        let run = try bench.bash(["-c", clean, Locations.packageRoot.path, bench.folder.url.path])
        #expect(run.code == 0, "\(run)")
        let left = ["hearth.db", "cities.db", "dist"].map { FileManager.default.fileExists(atPath: bench.path($0)) }
        #expect(left == [true, true, false])
    }

    /// Root's umask does not hide the manual page from others.
    @Test func extrasForAll() throws {
        let script = Locations.packageRoot.appending(path: "Scripts/install-extras.sh").path
        let install = #"umask 077; "$0" "$1" "$PWD/place" && find place/share -type f ! -perm -444"#
        let run = try bench.bash(["-c", install, script, try Locations.program("hearth").path])
        #expect(run.code == 0 && run.output.isEmpty, "\(run)")
    }

    /// The manual page has the help of every command, those of two words and those with a hyphen too.
    @Test func manualPage() throws {
        let script = Locations.packageRoot.appending(path: "Scripts/manual-page.sh").path
        let page = try bench.bash([script, try Locations.program("hearth").path])
        #expect(page.code == 0 && page.errors.isEmpty, "\(page.errors)")
        let sections = Set(page.lines.filter { $0.hasPrefix(".SH ") })
        for command in try HelpDump.commands(bench) {
            #expect(sections.contains(".SH HEARTH \(command.name.uppercased())"))
        }
        #expect(sections.contains(".SH HEARTH RULES"))
    }
}
