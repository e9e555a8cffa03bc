// SPDX-License-Identifier: Apache-2.0

#if Connected
    // Credentials are part of this product.
    @_exported public import CloudFirestore
    internal import DocumentModel
    public import Hearth
    internal import SyncCore

    extension Remote {
        /// A database of Cloud Firestore, or of an emulator, whose offline data a file keeps.
        ///
        ///     let database = try await Database.open(
        ///         path: "app.db", remote: .firestore(project: "my-project", credentials: .serviceAccount(file: "key.json")))
        ///
        /// Nothing is sent until the database is used. Opening it fails with a ``FirestoreError`` if a name, the host or the
        /// credentials cannot be used at all.
        ///
        /// - Parameters:
        ///   - project: the ID of the Google Cloud project.
        ///   - database: the ID of the database in it.
        ///   - credentials: who asks. Those of an emulator bring its host.
        ///   - host: another server than `firestore.googleapis.com`, as `name:port` without a scheme. A
        ///     `FirestoreSettings.host` that is set comes before it.
        ///   - isSSLEnabled: whether the connection to `host` is encrypted. If it is not, a service account becomes the
        ///     administrator of an emulator, because its tokens are for encrypted connections only.
        public static func firestore(
            project: String, database: String = "(default)", credentials: FirestoreCredentials, host: String? = nil,
            isSSLEnabled: Bool = true
        ) -> Remote {
            Remote(database: DatabaseID(project: Text(project), database: Text(database))) { address in
                do throws(SyncError) {
                    return try FirestoreClient(
                        project: project, database: database, credentials: credentials, host: address?.host ?? host,
                        isSSLEnabled: address?.isSSLEnabled ?? isSSLEnabled
                    ).makeTransport()
                } catch {
                    throw FirestoreError(error)
                }
            }
        }
    }
#endif
