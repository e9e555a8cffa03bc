// SPDX-License-Identifier: Apache-2.0

#if Server
    import Foundation
    import TestSupport
    import Testing

    /// Scripts/server-consistency.py, briefly: clients see consistent data, and nothing acknowledged is lost when the server
    /// is killed. `HEARTH_SERVER_KILLS` sets another number of kills.
    @Suite struct ServerConsistencyTests {
        @Test func killedServersLoseNothing() throws {
            let kills = ProcessInfo.processInfo.environment["HEARTH_SERVER_KILLS"] ?? "2"
            let process = Process()
            process.executableURL = URL(filePath: "/usr/bin/env")
            process.arguments = [
                "python3", Locations.packageRoot.appending(path: "Scripts/server-consistency.py").path,
                try Locations.program("hearth").path, "--clients", "8", "--rounds", kills, "--commits", "40",
            ]
            try process.start()
            process.waitUntilExit()
            guard process.terminationStatus != 127 else {
                return print("ServerConsistencyTests: skipped: python3 is not installed")
            }
            #expect(process.terminationStatus == 0, "the findings are above")
        }

        /// A name without a slash is looked for as a shell does.
        @Test func programOfThePath() throws {
            let bench = try Workbench()
            try bench.program("stand-in", "echo \"$1\" > '\(bench.path("called"))'")
            try FileManager.default.createDirectory(
                atPath: bench.path("elsewhere"), withIntermediateDirectories: false)
            let script = Locations.packageRoot.appending(path: "Scripts/server-consistency.py").path
            for (name, error) in [("stand-in", "the server did not start"), ("missing", "there is no program missing")]
            {
                let run = try bench.bash(["-c", "cd elsewhere; exec python3 \"$0\" \(name)", script])
                guard run.code != 127 else {
                    return print("ServerConsistencyTests: skipped: python3 is not installed")
                }
                #expect(run.code != 0 && run.errors.contains(error), "\(run)")
            }
            #expect(String(decoding: try bench.contents("called"), as: UTF8.self) == "serve\n")
        }
    }
#endif
