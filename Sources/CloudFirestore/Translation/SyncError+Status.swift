// SPDX-License-Identifier: Apache-2.0

#if Connected
    internal import FirestoreProtocol
    internal import SyncCore

    extension SyncError {
        init(_ error: RequestError) { self.init(error.status, error.message) }
    }

    /// Translates, with the client's error.
    func translated<Result>(_ body: () throws(RequestError) -> Result) throws(SyncError) -> Result {
        do throws(RequestError) { return try body() } catch { throw SyncError(error) }
    }
#endif
