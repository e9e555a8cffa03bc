// SPDX-License-Identifier: Apache-2.0

#if Server
    package import DocumentExport
    package import DocumentModel
    internal import FirestoreProtocol
    package import IndexCatalog
    internal import NIOCore
    package import QueryPlanner

    /// A server that speaks Cloud Firestore's protocol: gRPC, and REST on the same port.
    package final class HearthServer: Sendable {
        private let socket: ServerSocket
        private let feedSocket: ServerSocket?
        let databases: DatabaseRegistry
        private let indexes: IndexSource
        private let options: ServerOptions
        let channels: WebChannelTable
        let requests: RequestMemory
        private let ticks: Task<Void, Never>
        private let closings: Task<Void, Never>

        /// - Throws: if the data folder cannot be used, or is used by another server.
        package init(
            _ options: ServerOptions, _ indexes: IndexSource, _ rules: RulesSource = RulesSource()
        ) throws(DataFolderError) {
            self.options = options
            self.indexes = indexes
            databases = try DatabaseRegistry(options, indexes, rules)
            let service = FirestoreService(databases)
            channels = WebChannelTable(options.limits)
            requests = RequestMemory(limit: options.limits.requestBytes)
            ticks = channels.follow(options.ticks)
            closings = databases.closeWhatIsIdle()
            let feed = RequestFeed(keeps: options.webSocketPort != nil)
            let observer = RequestObserver(
                log: options.logging.map { RequestLog(kind: $0, line: options.log) }, feed: feed, clock: options.clock)
            var grpc = GRPCMethods(service)
            grpc.observer = observer
            let pages = AllowedPages(
                origins: AllowedOrigins(options.allowedOrigins),
                hosts: AllowedHosts(listeningAt: options.host, options.allowedOrigins))
            let router = RequestRouter(
                grpc: grpc, rest: RESTMethods(service: service),
                web: WebChannelMethods(service: service, table: channels, observer: observer),
                emulator: EmulatorMethods(service: service, indexes: indexes, rules: rules, feed: feed),
                console: ConsoleMethods(), pages: pages, limits: options.limits, memory: requests,
                observer: observer)
            socket = ServerSocket(connections: options.limits.connections) { channel in
                try channel.pipeline.syncOperations.addHandler(ProtocolDetector(router))
            }
            feedSocket = options.webSocketPort.map { _ in
                ServerSocket(connections: options.limits.connections) { channel in
                    try FeedHandler.setUp(channel, feed, pages)
                }
            }
        }

        /// Accepts connections, and returns the port.
        ///
        /// - Throws: ``ListenError`` if the port is taken or the host unknown.
        package func start() throws -> Int {
            try ListenError.named(options.port) { try socket.bind(host: options.host, port: $0) }
        }

        /// Accepts connections of the emulator's interface, and returns the port; nil if ``ServerOptions`` names none.
        ///
        /// - Throws: ``ListenError``.
        package func startFeed() throws -> Int? {
            guard let feedSocket, let port = options.webSocketPort else { return nil }
            return try ListenError.named(port) { try feedSocket.bind(host: options.host, port: $0) }
        }

        /// Loads the exports at a path. Each gets the database that it was made of, in another project if one is given.
        ///
        /// - Returns: a line for each.
        /// - Throws: ``ExportError``.
        package func importExports(at path: String, project: Text?) throws -> [String] {
            try databases.load(ExportFolder.all(at: path), project: project).map { database, count in
                "\(count) document\(count == 1 ? "" : "s") imported into \(database.resourceName)"
            }
        }

        /// Writes every database, also those in the data folder that nobody asked for, and those that were closed.
        ///
        /// - Returns: a line for each.
        package func export(to folder: ExportDestination) throws -> [String] { try folder.write(databases) }

        /// The names of the databases that no export can have: their files were removed while they were closed.
        package var lostDatabases: [String] { databases.lost.map(\.resourceName) }

        /// Removes the databases of a server without a data folder, before the process ends without releasing it.
        package func removeTemporaryFiles() { databases.removeTemporaryFiles() }

        /// Ends every connection, within a second unless something is stuck, and then without it after some seconds.
        package func stop() {
            ticks.cancel()
            closings.cancel()
            channels.closeAll()
            socket.stop()
            feedSocket?.stop()
        }

        /// Writes the files again that other programs have removed while the databases were open.
        ///
        /// - Returns: the names of these databases, with the reason why a file could not be written.
        package func writeRemovedFiles() -> [(name: String, failure: String?)] {
            databases.writeRemovedFiles().map { (name: $0.id.resourceName, failure: $0.failure) }
        }

        /// Closes the databases of a server that was stopped. Those that were only read leave no file.
        package func closeDatabases() { databases.closeAll() }

        /// Gives the databases the indexes that their files now define.
        package func applyIndexes() { databases.applyIndexes() }

        /// The queries that were not looked at for ``advice``, by database; nil stands for those that it does not name, as they have no
        /// documents.
        package var leftOutOfAdvice: [(database: DatabaseID?, queries: LeftOutQueries)] {
            databases.notes.map { ($0.id, $0.notes.traffic.leftOut) } + [(nil, databases.forgottenLeftOut)]
        }

        /// The indexes that each database's queries so far need, and what its file defines.
        package var advice: [ServerAdvice] {
            databases.notes.map { id, notes in
                let file = indexes.configuration(of: id)
                let known = file ?? IndexConfiguration()
                let advisor = notes.traffic.advisor
                return ServerAdvice(
                    database: id, file: file, advisor: advisor,
                    smallest: advisor.smallestConfiguration(replacing: known).configuration.inCanonicalOrder,
                    missing: advisor.additions(to: known).configuration.inCanonicalOrder)
            }
        }
    }

    /// Why a server cannot accept connections.
    package struct ListenError: Error, Sendable {
        package let message: String
        /// The port that was asked for.
        package let port: Int

        fileprivate static func named(_ port: Int, _ body: (Int) throws -> Int) throws -> Int {
            do {
                return try body(port)
            } catch let error as IOError {
                throw ListenError(message: SystemError(number: error.errnoCode).description, port: port)
            } catch let error as SocketAddressError.UnknownHost {
                throw ListenError(message: "the host is unknown (\(error.errorDescription))", port: port)
            } catch {
                throw ListenError(message: "\(error)", port: port)
            }
        }
    }

    /// What a database's queries say about its index file.
    package struct ServerAdvice: Sendable {
        package let database: DatabaseID
        /// Nil if there is no file.
        package let file: IndexConfiguration?
        /// It knows the queries.
        package let advisor: IndexAdvisor
        package let smallest: IndexConfiguration
        /// What the file lacks.
        package let missing: IndexConfiguration
    }
#endif
