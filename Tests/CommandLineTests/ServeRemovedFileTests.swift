// SPDX-License-Identifier: Apache-2.0

#if Server
    import Foundation
    import TestSupport
    import Testing

    /// Another program removes files of `--data` while the server has them open.
    @Suite struct ServeRemovedFileTests {
        private let bench: Workbench
        private let arguments = ["--port", "0", "--data", "data"]

        init() throws {
            bench = try Workbench()
        }

        private static func line(_ project: String) -> String {
            "hearth: another program has removed the file of projects/\(project)/databases/d while it was open; "
        }

        private func start() async throws -> ServeProcess {
            let server = try ServeProcess(bench, arguments: arguments)
            for project in ["p", "q"] {
                let path = "/v1/projects/\(project)/databases/d/documents/c/d"
                #expect(try await server.send("PATCH", path, #"{"fields":{"n":{"integerValue":"7"}}}"#).status == 200)
            }
            return server
        }

        /// With and without its lock file, or with the whole folder.
        @Test(arguments: [["data/p/d.hearth"], ["data/p/d.hearth", "data/p/d.hearth-lock"], ["data"]])
        func itIsWrittenAgain(_ removed: [String]) async throws {
            let server = try await start()
            for name in removed { try FileManager.default.removeItem(atPath: bench.path(name)) }
            let run = try server.stop()
            #expect(run.code == 0)
            let projects = removed == ["data"] ? ["p", "q"] : ["p"]
            for project in projects {
                let line = Self.line(project) + "it is written again\n"
                #expect(run.errors.contains(line), "\(run.errors)")
            }
            let second = try ServeProcess(bench, arguments: arguments)
            for project in ["p", "q"] {
                let read = try await second.send("GET", "/v1/projects/\(project)/databases/d/documents/c/d")
                #expect(read.text.contains(#""integerValue":"7""#), "\(read.text)")
            }
            let last = try second.stop()
            #expect(last.code == 0 && last.errors == "")
        }

        @Test func whereThereIsNoPlaceItIsNamed() async throws {
            let server = try await start()
            try FileManager.default.removeItem(atPath: bench.path("data/p"))
            try bench.write("data/p", "mine")
            let run = try server.stop()
            #expect(run.code == 2)
            #expect(run.errors.hasPrefix(Self.line("p") + "its documents are gone, "), "\(run.errors)")
            #expect(try bench.contents("data/p") == Data("mine".utf8))
        }

        /// Such as an earlier copy that was put back.
        @Test func whatHasComeInItsPlaceIsNotOverwritten() async throws {
            let server = try await start()
            for name in ["d.hearth", "d.hearth-lock"] {
                try FileManager.default.removeItem(atPath: bench.path("data/p/\(name)"))
            }
            try bench.write("data/p/d.hearth", "mine")
            #expect(try server.stop().code == 0)
            #expect(try bench.contents("data/p/d.hearth") == Data("mine".utf8))
        }
    }
#endif
