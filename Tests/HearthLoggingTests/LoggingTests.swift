// SPDX-License-Identifier: Apache-2.0

#if Logging
    import Hearth
    import HearthLogging
    import Logging
    import Synchronization
    import Testing

    /// Records messages.
    private final class Record: LogHandler, Sendable {
        let lines = Mutex<[String]>([])

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { nil }
            set {}
        }
        var metadata: Logger.Metadata {
            get { [:] }
            set {}
        }
        var logLevel: Logger.Level {
            get { .debug }
            set {}
        }

        func log(event: LogEvent) {
            lines.withLock { $0.append("\(event.level): \(event.message)") }
        }
    }

    @Suite struct LoggingTests {
        /// Synchronous, so that the write is not awaited.
        private func failUnheard(_ database: Database) { database.document("a/b").updateData(["n": 1]) }

        @Test func whatNobodyHearsOfIsLogged() async throws {
            let record = Record()
            let settings = FirestoreSettings()
            settings.cacheSettings = MemoryCacheSettings()
            settings.log(to: Logger(label: "hearth") { _ in record })
            let database = try await Database.open(path: "memory", settings: settings)
            failUnheard(database)
            try await database.terminate()
            let lines = record.lines.withLock { $0 }
            #expect(lines.first == "debug: Opened the database at memory")
            #expect(lines.dropFirst().first?.hasPrefix("error: Write at a/b failed: No document to update") == true)
            #expect(lines.last == "debug: Terminated the database at memory" && lines.count == 3)
        }
    }
#endif
