// SPDX-License-Identifier: Apache-2.0

internal import ReplicaStore
internal import SyncCore

/// What the log says of the streams to the server: why one cannot be opened, once for each reason, however often it is tried.
struct StreamLog {
    /// The last reason of each stream that has brought nothing since.
    private var reasons: [SyncStream: String] = [:]
    private var working: Set<SyncStream> = []

    /// The message about something that has happened to a stream; nil if there is nothing new to say.
    mutating func message(for input: SyncInput) -> (level: FirestoreSettings.LogLevel, text: String)? {
        switch input {
        case .watch: return works(.watch)
        case .writeResponse: return works(.write)
        case .streamClosed(let stream, _, let error, _): return closed(stream, error)
        default: return nil
        }
    }

    private mutating func works(_ stream: SyncStream) -> (FirestoreSettings.LogLevel, String)? {
        working.insert(stream)
        guard reasons.removeValue(forKey: stream) != nil else { return nil }
        return (.debug, "The server answers again: \(stream.purpose).")
    }

    private mutating func closed(_ stream: SyncStream, _ error: SyncError?) -> (FirestoreSettings.LogLevel, String)? {
        let reason = error.map { "\($0.code): \($0.message)" } ?? "the server has ended the stream"
        // Servers end streams from time to time. That is no failure if the next one works.
        if working.remove(stream) != nil {
            return (.debug, "The server is asked again: \(stream.purpose): \(reason)")
        }
        guard reasons.updateValue(reason, forKey: stream) != reason else { return nil }
        return (.error, "The server cannot be used now; it is tried again: \(stream.purpose): \(reason)")
    }
}

extension SyncStream {
    fileprivate var purpose: String {
        switch self {
        case .watch: "listening"
        case .write: "sending queued writes"
        }
    }
}

extension ReplicaHealing {
    /// What a program's log says of it.
    var summary: String {
        "The offline data was damaged and is fetched again. Kept: \(pendingWrites) queued and \(rejectedWrites) refused writes."
            + (keptFile.map { " \(lost.count) writes cannot be read; the damaged file is kept as \($0)." } ?? "")
    }
}
