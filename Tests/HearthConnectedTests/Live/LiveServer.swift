// SPDX-License-Identifier: Apache-2.0

#if Server && Connected
    import TestSupport

    /// A server that the live suites run against.
    enum LiveServer: String, CaseIterable, Sendable {
        /// `hearth serve`, in this process.
        case served
        /// The official emulator.
        case emulator

        private static let local = Result { try LocalServer() }
        private static let official = Result { try EmulatorProcess(memory: "768m") }

        /// Those that this machine has.
        static let present: [LiveServer] = {
            guard case .success(nil) = official else { return allCases }
            print("live suites: skipped: the official Firestore emulator is not installed")
            return [.served]
        }()

        func host() throws -> String {
            switch self {
            case .served: return try LiveServer.local.get().host
            case .emulator:
                guard let emulator = try LiveServer.official.get() else { throw EmulatorFailure("not installed") }
                return "127.0.0.1:\(emulator.port)"
            }
        }
    }
#endif
