// SPDX-License-Identifier: Apache-2.0

#if Server
    import Foundation
    import TestSupport
    import Testing

    /// `--import` and `--export-on-exit`.
    @Suite struct ServeExportTests {
        let bench: Workbench

        init() throws {
            bench = try Workbench()
        }

        private func write(_ server: ServeProcess, _ database: String) async throws {
            let made = try await server.send(
                "PATCH", "/v1/\(database)/documents/c/d", #"{"fields":{"n":{"integerValue":"7"}}}"#)
            #expect(made.status == 200)
        }

        private func read(_ server: ServeProcess, _ database: String) async throws -> Bool {
            try await server.send("GET", "/v1/\(database)/documents/c/d").text.contains(#""integerValue":"7""#)
        }

        /// What the official emulator wrote for these documents, too: see `EntityTests`.
        @Test func exportAndImport() async throws {
            let first = try ServeProcess(bench, "--port", "0", "--export-on-exit", "kept")
            try await write(first, "projects/p/databases/d")
            let run = try first.stop()
            #expect(run.code == 0)
            #expect(run.errors.contains("hearth: 1 document of projects/p/databases/d exported to "), "\(run.errors)")
            let second = try ServeProcess(bench, "--port", "0", "--import", "kept", "--export-on-exit", "kept")
            #expect(second.errors == "hearth: 1 document imported into projects/p/databases/d\n")
            #expect(try await read(second, "projects/p/databases/d"))
            // Several databases have folders of their own.
            try await write(second, "projects/q/databases/(default)")
            #expect(try second.stop().code == 0)
            let third = try ServeProcess(
                bench, "--port", "0", "--import", "kept", "--project", "r", "--export-on-exit", "kept")
            #expect(try await read(third, "projects/r/databases/d"))
            #expect(try await read(third, "projects/r/databases/(default)"))
            // These folders are replaced, too.
            #expect(try third.stop().code == 0)
            #expect(try FileManager.default.contentsOfDirectory(atPath: bench.path("kept")) == ["r"])
        }

        /// What one run leaves is what the next begins with, also if it is nothing.
        @Test func oneFolderForManyRuns() async throws {
            let loop = ["--import", "kept", "--export-on-exit", "./kept/"]
            func run() throws -> ServeProcess { try ServeProcess(bench, arguments: ["--port", "0"] + loop) }
            let nothing = "hearth: nothing to import yet: there is no export in \"kept\"\n"
            let first = try run()
            #expect(first.errors == nothing)
            try await write(first, "projects/p/databases/(default)")
            #expect(try first.stop().code == 0)
            let second = try run()
            #expect(try await read(second, "projects/p/databases/(default)"))
            let cleared = try await second.send("DELETE", "/emulator/v1/projects/p/databases/(default)/documents")
            #expect(cleared.status == 200)
            #expect(try second.stop().code == 0)
            let third = try run()
            #expect(third.errors == nothing)
            #expect(try await !read(third, "projects/p/databases/(default)"))
            #expect(try third.stop().code == 0)
            // The parts of other emulators are no export of Firestore.
            try FileManager.default.createDirectory(
                atPath: bench.path("kept/auth_export"), withIntermediateDirectories: true)
            try bench.write("kept/firebase-export-metadata.json", #"{"auth":{"path":"auth_export"}}"#)
            let exec = try bench.hearth(arguments: ["exec"] + loop + ["--", "true"])
            #expect(exec.code == 0 && exec.errors.hasPrefix(nothing), "\(exec)")
            #expect(FileManager.default.fileExists(atPath: bench.path("kept/auth_export")))
            // So are those that a killed process has not written to their ends.
            for folder in ["new/firestore_export/all_namespaces", "old"] {
                try FileManager.default.createDirectory(
                    atPath: bench.path("kept/.hearth-export-0/\(folder)"), withIntermediateDirectories: true)
            }
            let unfinished = try bench.hearth(arguments: ["exec"] + loop + ["--", "true"])
            #expect(unfinished.code == 0 && unfinished.errors.hasPrefix(nothing), "\(unfinished)")
            #expect(!FileManager.default.fileExists(atPath: bench.path("kept/.hearth-export-0")))
            // A whole one that was not yet put in its place is not lost.
            let whole = "kept/.hearth-export-0/new/firestore_export/firestore_export.overall_export_metadata"
            try FileManager.default.createDirectory(
                atPath: bench.path("kept/.hearth-export-0/new/firestore_export"), withIntermediateDirectories: true)
            try bench.write(whole, "x")
            #expect(try bench.hearth(arguments: ["exec"] + loop + ["--", "true"]).code == 2)
            #expect(FileManager.default.fileExists(atPath: bench.path(whole)))
            try FileManager.default.removeItem(atPath: bench.path("kept/.hearth-export-0"))
            // A process that was killed between the two moves of an exchange has left the former export here.
            try FileManager.default.createDirectory(
                atPath: bench.path("kept/.hearth-export-1/old/firestore_export"), withIntermediateDirectories: true)
            #expect(try bench.hearth(arguments: ["exec"] + loop + ["--", "true"]).code == 2)
        }

        /// Documents of two exports never end in one database.
        @Test func severalExportsOfOneDatabase() async throws {
            let first = try ServeProcess(bench, "--port", "0", "--export-on-exit", "bk/days/monday")
            try await write(first, "projects/p/databases/d")
            try await write(first, "projects/q/databases/d")
            #expect(try first.stop().code == 0)
            let both = try bench.hearth("exec", "--import", "bk/days/monday", "--project", "r", "--", "true")
            #expect(both.code == 2, "\(both.errors)")
            #expect(both.errors.contains("several exports would be loaded into projects/r/databases/d; "))
            let manager = FileManager.default
            try manager.moveItem(atPath: bench.path("bk/days/monday/p/d"), toPath: bench.path("bk/days/sunday"))
            try manager.copyItem(atPath: bench.path("bk/days/sunday"), toPath: bench.path("bk/days/tuesday"))
            try manager.removeItem(atPath: bench.path("bk/days/monday"))
            let levels = [
                "bk": "several exports would be loaded into projects/p/databases/d", "bk/days": "holds several exports",
            ]
            for (folder, reason) in levels {
                let run = try bench.hearth("exec", "--import", folder, "--", "true")
                #expect(run.code == 2 && run.errors.contains(reason), "\(run.errors)")
            }
        }

        /// Databases that the last run did not ask for are exported with the others.
        @Test func exportOfADataFolder() async throws {
            let first = try ServeProcess(bench, "--port", "0", "--data", "data")
            for database in ["projects/p/databases/d", "projects/q%3Ax/databases/(default)"] {
                try await write(first, database)
            }
            #expect(try first.stop().code == 0)
            let second = try ServeProcess(bench, "--port", "0", "--data", "data", "--export-on-exit", "kept")
            try await write(second, "projects/p/databases/d")
            let run = try second.stop()
            for name in ["p/databases/d", "q:x/databases/(default)"] {
                #expect(run.errors.contains("hearth: 1 document of projects/\(name) exported to "), "\(run.errors)")
            }
        }

        /// The others are exported.
        @Test func aDatabaseThatIsGoneIsNamed() async throws {
            let arguments = ["--port", "0", "--data", "data", "--export-on-exit", "kept"]
            let server = try ServeProcess(bench, arguments: arguments, fileLimit: 256)
            // The first ones are closed to make room for the last ones.
            for number in 0..<100 { try await write(server, "projects/p/databases/d\(number)") }
            for name in ["d0.hearth", "d0.hearth-lock"] {
                try FileManager.default.removeItem(atPath: bench.path("data/p/\(name)"))
            }
            #expect(try await server.send("GET", "/v1/projects/p/databases/d0/documents/c/d").status == 400)
            let run = try server.stop()
            #expect(run.code == 2)
            let lines = run.errors.split(separator: "\n")
            #expect(lines.first?.hasPrefix("hearth: projects/p/databases/d0 is not in the export: ") == true)
            #expect(lines.count { $0.hasPrefix("hearth: 1 document of projects/p/databases/d") } == 99, "\(run.errors)")
        }

        /// It has the last copy of the database that is gone.
        @Test func theFormerExportOfADatabaseThatIsGoneRemains() async throws {
            let first = try ServeProcess(bench, "--port", "0", "--export-on-exit", "kept")
            try await write(first, "projects/p/databases/d0")
            #expect(try first.stop().code == 0)
            let loop = ["--port", "0", "--import", "kept", "--export-on-exit", "kept"]
            for folder in ["kept-incomplete", "kept-incomplete-2"] {
                let data = ["--data", "data for \(folder)"]
                let server = try ServeProcess(bench, arguments: loop + data, fileLimit: 256)
                for number in 1..<100 { try await write(server, "projects/p/databases/d\(number)") }
                for name in ["d0.hearth", "d0.hearth-lock"] {
                    try FileManager.default.removeItem(atPath: bench.path("\(data[1])/p/\(name)"))
                }
                let run = try server.stop()
                #expect(run.code == 2)
                #expect(run.errors.contains("hearth: the former export in \"kept\" remains, "), "\(run.errors)")
                #expect(run.errors.contains("hearth: projects/p/databases/d0 is not in the export: "), "\(run.errors)")
                let third = try ServeProcess(bench, "--port", "0", "--import", folder)
                #expect(try await read(third, "projects/p/databases/d99"))
                #expect(try await !read(third, "projects/p/databases/d0"))
                #expect(try third.stop().code == 0)
            }
            let last = try ServeProcess(bench, arguments: loop)
            #expect(last.errors == "hearth: 1 document imported into projects/p/databases/d0\n")
            #expect(try await read(last, "projects/p/databases/d0"))
        }

        /// A folder with other files is not replaced, and one without an export is not imported.
        @Test func folders() async throws {
            try FileManager.default.createDirectory(
                at: bench.folder.url.appending(path: "work"), withIntermediateDirectories: true)
            try bench.write("work/notes.txt", "mine")
            let kept = try bench.hearth("serve", "--port", "0", "--export-on-exit", "work")
            #expect(kept.code == 2)
            #expect(kept.errors.hasPrefix("hearth: \"work\" holds other files than an export; "), "\(kept.errors)")
            // A place that cannot be written is noticed before there is something to lose. Not even root can write to /proc.
            let late = try bench.hearth("exec", "--export-on-exit", "/proc/kept", "--", "true")
            #expect(
                late.code == 2 && late.errors.hasPrefix("hearth: \"/proc/kept\" cannot be written: "), "\(late.errors)")
            for folder in ["work", "none"] {
                let run = try bench.hearth("serve", "--port", "0", "--import", folder)
                #expect(run.code == 2)
                #expect(run.errors.hasPrefix("hearth: there is no export in \"\(folder)\": "), "\(run.errors)")
            }
            // As in a folder of sources with an export of an earlier day below.
            let first = try ServeProcess(bench, "--port", "0", "--export-on-exit", "work/backups/monday")
            try await write(first, "projects/p/databases/d")
            #expect(try first.stop().code == 0)
            let around = try bench.hearth(
                "exec", "--import", "work/backups/monday", "--export-on-exit", "work", "--", "true")
            #expect(around.code == 2, "\(around.errors)")
            #expect(try bench.contents("work/notes.txt") == Data("mine".utf8))
            #expect(FileManager.default.fileExists(atPath: bench.path("work/backups/monday/firestore_export")))
        }

        /// A signal does not wait for the end of an import, and what was loaded until then does not remain.
        @Test(arguments: [("serve", 0), ("exec", 143)]) func signalDuringImport(_ command: String, _ code: Int32)
            async throws
        {
            let first = try ServeProcess(bench, "--port", "0", "--export-on-exit", "kept")
            try await write(first, "projects/p/databases/(default)")
            #expect(try first.stop().code == 0)
            // A file whose end never comes.
            let file = bench.path("kept/firestore_export/all_namespaces/all_kinds/output-0")
            try FileManager.default.removeItem(atPath: file)
            #expect(mkfifo(file, 0o600) == 0)
            try FileManager.default.createDirectory(atPath: bench.path("tmp"), withIntermediateDirectories: false)
            let process = try bench.process(
                [command, "--import", "kept"] + (command == "serve" ? ["--port", "0"] : ["--", "echo", "ran"]),
                environment: ["TMPDIR": bench.path("tmp")])
            var writer: Int32 = -1
            defer { close(writer) }
            try await wait(for: "the reader") {
                writer = open(file, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
                return writer >= 0
            }
            process.terminate()
            try await wait(for: "the end") { !process.isRunning }
            #expect(process.terminationReason == .exit && process.terminationStatus == code)
            #expect(try bench.contents(".output").isEmpty)
            #expect(try FileManager.default.contentsOfDirectory(atPath: bench.path("tmp")).isEmpty)
        }

        /// A damaged export leaves no document, and says which file is damaged.
        @Test func damagedExport() async throws {
            let first = try ServeProcess(bench, "--port", "0", "--export-on-exit", "kept")
            try await write(first, "projects/p/databases/(default)")
            #expect(try first.stop().code == 0)
            let file = "kept/firestore_export/all_namespaces/all_kinds/output-0"
            var bytes = try Data(contentsOf: bench.folder.url.appending(path: file))
            bytes[20] ^= 1
            try bytes.write(to: bench.folder.url.appending(path: file))
            let run = try bench.hearth("serve", "--port", "0", "--import", "kept")
            #expect(run.code == 2)
            #expect(
                run.errors.contains("output-0\" cannot be imported: a checksum is wrong, at byte 0; "), "\(run.errors)")
        }
    }
#endif
