// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import ArgumentParser
    internal import DocumentExport
    internal import DocumentModel
    internal import FirestoreServer
    internal import IndexCatalog
    internal import LMDB

    extension IndexMode: ExpressibleByArgument {}
    extension RequestLogging: ExpressibleByArgument {}

    /// What `serve` and `exec` share.
    struct ServeOptions: ParsableArguments {
        @Option(
            help: ArgumentHelp(
                "The address to listen at (default: localhost; of serve: firebase.json's, else that).",
                valueName: "host"))
        var host: String?
        @Option(
            help: ArgumentHelp(
                "The port; 0 for a free one (default of exec: a free one; of serve: firebase.json's, else 8080).",
                valueName: "port"))
        var port: Int?
        @Option(
            name: .customLong("websocket-port"),
            help: ArgumentHelp(
                "Send the requests to the Emulator UI at this port, as the emulator does; 0 for a free one.",
                valueName: "port"))
        var webSocketPort: Int?
        @Option(
            help: ArgumentHelp("Keep the databases in this folder.", valueName: "folder"), completion: .directory)
        var data: String?
        @Flag(help: "Keep the databases in memory; the default.")
        var ephemeral = false
        @Option(
            help: ArgumentHelp("The index file of all databases.", valueName: "config"),
            completion: .file(extensions: ["json"]))
        var indexes: String?
        @Option(
            help: ArgumentHelp(
                "The security rules of all databases (default: firebase.json's; else everything is allowed).",
                valueName: "rules"),
            completion: .file(extensions: ["rules"]))
        var rules: String?
        @Option(help: "strict, record (answer, and note what production would refuse) or permissive (scan).")
        var mode = IndexMode.strict
        @Option(help: ArgumentHelp("The project that console links name (default: each request's).", valueName: "id"))
        var project: String?
        @Option(
            help: ArgumentHelp(
                "At the end, write the smallest index file that the queries need, or add what they lack to one that exists.",
                valueName: "file"),
            completion: .file(extensions: ["json"]))
        var writeIndexes: String?
        @Flag(help: "At the end, exit with 1 if the queries need an index that the file lacks.")
        var check = false
        @Option(
            parsing: .singleValue,
            help: ArgumentHelp(
                "Let pages of this origin send requests, such as https://app.test:3000; * for all. Pages of this machine may.",
                valueName: "origin"))
        var allowOrigin: [String] = []

        @Option(
            name: .customLong("import"),
            help: ArgumentHelp(
                "First load the export in this folder, of the emulator or of production; into --project if given. There may be none yet if --export-on-exit names the folder.",
                valueName: "folder"), completion: .directory)
        var importFolder: String?
        @Option(
            help: ArgumentHelp(
                "At the end, write the documents into this folder as the emulator does.", valueName: "folder"),
            completion: .directory)
        var exportOnExit: String?
        @Option(help: "Print a line on standard error for each request or query: requests or queries.")
        var log: RequestLogging?
        @Option(
            help: ArgumentHelp(
                "Start the server's clock at this time, such as 2030-01-01T00:00:00Z.", valueName: "time"))
        var clock: String?

        func validate() throws {
            if let clock, Timestamp(rfc3339: clock) == nil {
                throw ValidationError("--clock takes a time such as 2030-01-01T00:00:00Z")
            }
            if ephemeral, data != nil { throw ValidationError("--ephemeral and --data exclude each other") }
            if let port, !(0...65_535).contains(port) { throw ValidationError("--port takes a number up to 65535") }
            if let webSocketPort, !(0...65_535).contains(webSocketPort) {
                throw ValidationError("--websocket-port takes a number up to 65535")
            }
            if let other = allowOrigin.first(where: { ServeOptions.origin($0) == nil }) {
                throw ValidationError(
                    "--allow-origin takes an origin such as https://app.test:3000, without a path, or *; not "
                        + "\"\(other)\"")
            }
            try DatabaseID.check(project: project)
        }

        /// As browsers send it.
        private static func origin(_ text: String) -> String? { text == "*" ? text : PageOrigin(text)?.text }

        /// Starts a server.
        ///
        /// - Parameter codeAt: the exit code if one of ``Termination``'s signals comes before the server runs.
        func start(
            defaultPort: Int, codeAt: @escaping @Sendable (_ signal: Int32) -> Int32
        ) throws -> (HearthServer, ServedFiles) {
            let files = try ServedFiles(indexes: indexes, rules: rules)
            var options = ServerOptions()
            let named = host ?? (defaultPort == 0 ? nil : files.firebase?.host) ?? "localhost"
            // As it is written in addresses with ports.
            let isBracketed = named.hasPrefix("[") && named.hasSuffix("]")
            options.host = isBracketed ? String(named.dropFirst().dropLast()) : named
            options.port = port ?? (defaultPort == 0 ? 0 : files.firebase?.port ?? defaultPort)
            options.webSocketPort = webSocketPort
            options.folder = data
            options.mode = mode
            options.linkedProject = project.map { Text($0) }
            options.allowedOrigins = Set(allowOrigin.compactMap(ServeOptions.origin))
            options.clock = ServerClock(startingAt: clock.flatMap { Timestamp(rfc3339: $0) })
            options.logging = log
            options.log = { Diagnostics.write("hearth: \($0)") }
            Termination.allowManyFiles()
            Environment.keepTablesApart()
            do {
                let server = try HearthServer(options, files.source, files.rules.source)
                let destination = try exportOnExit.map { path throws(ExportError) in try ExportDestination(path) }
                if let writeIndexes { _ = try WrittenIndexes(writeIndexes) }
                if let importFolder, try destination?.isWithoutExport(at: importFolder) == true {
                    // The first of several runs, or the one after a run that left no document.
                    Diagnostics.write("hearth: nothing to import yet: there is no export in \"\(importFolder)\"")
                } else if let importFolder {
                    let lines = try Termination.end(with: codeAt, after: server.removeTemporaryFiles) {
                        try server.importExports(at: importFolder, project: options.linkedProject)
                    }
                    for line in lines { Diagnostics.write("hearth: \(line)") }
                }
                let bound = try server.start()
                files.listens(at: options.host, bound, feedPort: try server.startFeed())
                return (server, files)
            } catch let error as DataFolderError {
                throw CommandFailure(error.message)
            } catch let error as ExportError {
                throw CommandFailure(error.message)
            } catch let error as ListenError {
                throw CommandFailure(
                    "could not listen at \(options.host):\(error.port): \(error.message); choose another --host or "
                        + (error.port == options.port ? "--port" : "--websocket-port"))
            }
        }

        /// Writes the index file that the traffic needs, exports, writes files again that are gone, and checks the index file, even if one
        /// of these fails.
        ///
        /// - Throws: what failed first.
        func finish(_ server: HearthServer) throws {
            var failure: (any Error)?
            // Once, as it takes long for many queries.
            let advice = writeIndexes != nil || check ? server.advice : []
            let steps: [() throws -> Void] = [
                { countLeftOut(server) }, { try writeIndexFile(advice) }, { try export(server) },
                { try writeRemovedFiles(server) }, { try checkIndexes(server, advice) },
            ]
            for step in steps {
                do {
                    try step()
                } catch {
                    if failure != nil, let error = error as? CommandFailure {
                        Diagnostics.write("hearth: \(error.message)")
                    }
                    failure = failure ?? error
                }
            }
            server.closeDatabases()
            if let failure { throw failure }
        }
    }

    extension ServeOptions {
        private func countLeftOut(_ server: HearthServer) {
            guard writeIndexes != nil || check else { return }
            for (database, queries) in server.leftOutOfAdvice where queries.count > 0 {
                let part = queries.lacking > 0 ? ", of which \(queries.lacking) lacked an index," : ""
                Diagnostics.write(
                    "hearth: \(queries.count) queries to \(database?.resourceName ?? "databases without documents")\(part) "
                        + "were not looked at for indexes: there were too many different ones, such as with IDs in field paths"
                )
            }
        }

        private func writeIndexFile(_ advice: [ServerAdvice]) throws {
            guard let writeIndexes else { return }
            for other in try WrittenIndexes(writeIndexes).write(advice) {
                Diagnostics.write(
                    "hearth: \"\(writeIndexes)\" was not given what the queries to \(other.database.resourceName) need, as it "
                        + "is another database's file" + (check ? "" : ":"))
                // The check lists it.
                if !check { Diagnostics.text(ConfigurationWriter.text(other.missing)) }
            }
        }

        private func checkIndexes(_ server: HearthServer, _ advice: [ServerAdvice]) throws {
            guard check else { return }
            let lacking = advice.filter { !$0.missing.isEmpty }
            for advice in lacking {
                Diagnostics.write(
                    "hearth: the queries to \(advice.database.resourceName) need what the index file lacks:")
                Diagnostics.text(ConfigurationWriter.text(advice.missing))
            }
            // Which index some of these lacked is not known any more.
            let isLeftOut = server.leftOutOfAdvice.contains { $0.queries.lacking > 0 }
            if !lacking.isEmpty || isLeftOut { throw ExitCode.found }
        }

        private func export(_ server: HearthServer) throws {
            guard let exportOnExit else { return }
            let lost = server.lostDatabases
            for name in lost {
                Diagnostics.write("hearth: \(name) is not in the export: another program has removed its file")
            }
            do {
                let whole = try ExportDestination(exportOnExit)
                let destination = try lost.isEmpty ? whole : whole.besideFormer()
                if destination.path != whole.path {
                    Diagnostics.write(
                        "hearth: the former export in \"\(exportOnExit)\" remains, as it may have the last copy; what is there goes "
                            + "to \"\(destination.path)\"")
                }
                for line in try server.export(to: destination) { Diagnostics.write("hearth: \(line)") }
            } catch {
                let reason = (error as? ExportError)?.message ?? SystemError.reason(of: error)
                throw CommandFailure("the export failed: \(reason)")
            }
            if !lost.isEmpty { throw ExitCode.couldNotRun }
        }

        private func writeRemovedFiles(_ server: HearthServer) throws {
            let removed = server.writeRemovedFiles()
            for (name, failure) in removed {
                let outcome = failure.map { "its documents are gone, as it could not be written again: \($0)" }
                Diagnostics.write(
                    "hearth: another program has removed the file of \(name) while it was open; "
                        + (outcome ?? "it is written again"))
            }
            if removed.contains(where: { $0.failure != nil }) { throw ExitCode.couldNotRun }
        }
    }

#endif
