// SPDX-License-Identifier: Apache-2.0

#if Server
    import Foundation
    import TestSupport
    import Testing

    /// The `java` that starts `hearth serve` under the Firebase CLI, called as firebase-tools 14 calls java.
    @Suite struct FirebaseShimTests {
        private static let script = Locations.packageRoot.appending(path: "Scripts/firebase/java")

        private func process(_ bench: Workbench, _ arguments: [String], path: String) throws -> (Process, Pipe) {
            let process = Process()
            process.executableURL = Self.script
            process.arguments = arguments
            process.currentDirectoryURL = bench.folder.url
            process.environment = ["PATH": path, "HEARTH": try Locations.program("hearth").path]
            let output = Pipe()
            process.standardOutput = output
            process.standardError = output
            try process.start()
            return (process, output)
        }

        @Test func emulator() throws {
            let bench = try Workbench()
            try bench.write("my rules.rules", "service cloud.firestore { match /{path=**} { allow read; } }")
            let (process, output) = try process(
                bench,
                [
                    "-Dgoogle.cloud_firestore.debug_log_level=FINE", "-Duser.language=en", "-jar",
                    "some folder/cloud-firestore-emulator-v1.22.0.jar", "--host", "127.0.0.1", "--port", "0",
                    "--websocket_port", "0", "--database-edition", "standard", "--project_id", "demo-app", "--rules",
                    "my rules.rules", "--single_project_mode", "true",
                ], path: "/usr/bin:/bin")
            var text = ""
            while !text.contains("is now running at http://127.0.0.1:") {
                let piece = output.fileHandleForReading.availableData
                try #require(!piece.isEmpty, "\(text)")
                text += String(decoding: piece, as: UTF8.self)
            }
            #expect(text.contains("Rules: my rules.rules"))
            #expect(text.contains("Requests for the Emulator UI: ws://127.0.0.1:"))
            process.interrupt()
            process.waitUntilExit()
            #expect(process.terminationStatus == 0)
        }

        @Test func otherEdition() throws {
            let bench = try Workbench()
            let (process, output) = try process(
                bench, ["-jar", "cloud-firestore-emulator-v1.jar", "--database-edition", "enterprise"],
                path: "/usr/bin:/bin")
            let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            process.waitUntilExit()
            #expect(process.terminationStatus == 1)
            #expect(text == "hearth: the edition enterprise is not served, only standard\n")
        }

        /// The Firebase CLI reads a version before it starts anything; other emulators need a java.
        @Test(arguments: [true, false]) func otherCalls(_ hasJava: Bool) throws {
            let bench = try Workbench()
            let tools = bench.folder.url.appending(path: "tools")
            try FileManager.default.createDirectory(at: tools, withIntermediateDirectories: true)
            for tool in ["sh", "dirname"] {
                let real = URL(filePath: "/bin/\(tool)").resolvingSymlinksInPath()
                try FileManager.default.createSymbolicLink(
                    at: tools.appending(path: tool), withDestinationURL: real)
            }
            if hasJava {
                let java = tools.appending(path: "java")
                try "#!/bin/sh\necho real \"$@\"\n".write(to: java, atomically: true, encoding: .utf8)
                try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: java.path)
            }
            for (arguments, without) in [
                (["-Duser.language=en", "-version"], "openjdk version \"21"),
                (["-jar", "firebase-database-emulator.jar", "--port", "9000"], "hearth: there is no java on the PATH"),
            ] {
                let (process, output) = try process(bench, arguments, path: tools.path)
                let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
                process.waitUntilExit()
                #expect(text.hasPrefix(hasJava ? "real \(arguments.joined(separator: " "))" : without), "\(text)")
            }
        }

        /// Neither the script nor a copy of it is taken for the real java, however the PATH spells their folders. It called itself
        /// for ever, which the limit of processor time ends.
        @Test(arguments: ["$scripts/", "one:$scripts", "one:two/:$scripts/.", ":$scripts"])
        func otherCopies(_ path: String) throws {
            let bench = try Workbench()
            for folder in ["one", "two", "real"] {
                try FileManager.default.createDirectory(
                    atPath: bench.path(folder), withIntermediateDirectories: false)
            }
            for copy in ["one/java", "two/java", "java"] {
                try FileManager.default.copyItem(atPath: Self.script.path, toPath: bench.path(copy))
            }
            try bench.program("real/java", #"echo real "$@""#)
            let call = "scripts=${0%/*}; ulimit -t 10; PATH=\"\(path):real\" exec \"$0\" -version"
            let run = try bench.bash(["-c", call, Self.script.path])
            #expect(run.code == 0 && run.output == "real -version\n", "\(run)")
        }
    }
#endif
