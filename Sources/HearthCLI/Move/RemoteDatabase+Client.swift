// SPDX-License-Identifier: Apache-2.0

#if Connected
    internal import ArgumentParser
    internal import DocumentModel
    internal import CloudFirestore
    internal import SyncCore

    extension RemoteDatabase {
        /// The way to the database, which opens when it is used.
        func client() throws -> FirestoreClient {
            _ = try id()
            let credentials: FirestoreCredentials
            if let emulator {
                credentials = .emulator(host: emulator)
            } else if let file = self.credentials ?? System.environment("GOOGLE_APPLICATION_CREDENTIALS") {
                credentials = .serviceAccount(file: file)
            } else {
                throw CommandFailure(
                    "no credentials: name the JSON key of a service account with --credentials, or with the variable "
                        + "GOOGLE_APPLICATION_CREDENTIALS; or use an emulator with --emulator")
            }
            do throws(SyncError) {
                return try FirestoreClient(
                    project: project ?? "", database: databaseID, credentials: credentials)
            } catch {
                throw CommandFailure(error.message)
            }
        }
    }

    extension CommandFailure {
        /// - Parameter advice: what makes it go on.
        init(_ error: SyncError, _ advice: String) {
            self.init("\(error.code.name): \(error.message) \(advice)")
        }
    }
#endif
