// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// What Scripts/client-suites.sh installs and downloads, with a Python that only says what it was called for.
@Suite struct ClientSuitesTests {
    let bench: Workbench

    init() throws {
        bench = try Workbench()
        // The Python of a virtual environment downloads nothing before the file `online` exists, but makes the folder, as pip.
        try bench.program(
            "environment",
            #"""
            echo "$@" >> calls
            case "$*" in
            *" download "*)
                for folder; do :; done
                mkdir "$folder"
                [ -f online ] || { echo "ERROR: no route"; echo; exit 1; } >&2
                touch "$folder/firedantic.whl"
                ;;
            esac
            """#)
        try bench.program(
            "python3",
            #"""
            case "$*" in
            *ensurepip*) [ ! -f bare ] ;;
            "-m venv "*) mkdir -p "$3/bin" && cp environment "$3/bin/python" ;;
            esac
            """#)
        try bench.program("apt-get", "echo apt-get $@ >> calls; echo no archive >&2; exit 100")
        try bench.program("sudo", #"exec "$@""#)
    }

    private func firedantic() throws -> Run {
        let script = Locations.packageRoot.appending(path: "Scripts/client-suites.sh").path
        return try bench.bash(
            [script, "--peer", "127.0.0.1:1", "--cache", bench.path("cache"), "firedantic"],
            ["HOME": bench.folder.url.path])
    }

    /// A download that fails leaves nothing that the next run takes for the package.
    @Test func downloadAgain() throws {
        let first = try firedantic()
        let reason = "firedantic: not run: firedantic 0.12.0 is not to be had: ERROR: no route\n"
        #expect(first.code == 0 && first.output == reason, "\(first)")
        try bench.write("online", "")
        _ = try firedantic()
        let calls = String(decoding: try bench.contents("calls"), as: UTF8.self)
        #expect(calls.contains(#/-m zipfile -e .*cache/firedantic-0\.12\.0/firedantic\.whl /#), "\(calls)")
    }

    /// Debian's Python makes virtual environments only with the package python3-venv.
    @Test func pythonWithoutEnvironments() throws {
        try bench.write("bare", "")
        let run = try firedantic()
        let reason = "firedantic: not run: its packages could not be installed: Could not install python3-venv: "
        #expect(run.code == 0 && run.output.hasPrefix(reason), "\(run)")
        let calls = String(decoding: try bench.contents("calls"), as: UTF8.self)
        #expect(calls.contains("apt-get update"), "\(calls)")
    }
}
