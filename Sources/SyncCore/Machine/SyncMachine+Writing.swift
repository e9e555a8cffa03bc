// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

// Local writes, and the write stream that carries them in order.
extension SyncMachine {
    /// How many batches may be on their way at once.
    private static let pipelineLimit = 10

    /// Writes of nothing succeed. A condition alone cannot wait in a queue: only a transaction may make it.
    func write(_ writes: [Write], _ write: Int) {
        guard !writes.isEmpty else { return effects.append(.writeFinished(nil, write: write)) }
        guard !writes.contains(where: \.isVerification) else {
            let error = SyncError(.invalidArgument, "A write that only verifies a document belongs in a transaction.")
            return effects.append(.writeFinished(error, write: write))
        }
        do throws(ReplicaError) {
            let (batch, changes) = try store.writeLocally(writes, at: now)
            writesOfBatch[store.user, default: [:]][batch] = write
            effects.append(.writeStored(write: write))
            emit(changes)
            fillPipeline()
        } catch {
            effects.append(.writeFinished(SyncError(error), write: write))
        }
    }

    func waitForPendingWrites(_ wait: Int) {
        do throws(ReplicaError) {
            guard let batch = try store.highestBatch() else {
                return effects.append(.pendingWritesFinished(nil, wait: wait))
            }
            waitsForBatch[batch, default: []].append(wait)
        } catch {
            effects.append(.pendingWritesFinished(SyncError(error), wait: wait))
        }
    }

    /// Tells who waits for the batch.
    func finish(_ batch: MutationBatch, _ error: SyncError?) {
        if let write = writesOfBatch[store.user]?.removeValue(forKey: batch.id) {
            effects.append(.writeFinished(error, write: write))
        }
        for wait in waitsForBatch.removeValue(forKey: batch.id) ?? [] {
            effects.append(.pendingWritesFinished(nil, wait: wait))
        }
    }

    // MARK: The pipeline

    func fillPipeline() {
        while canUseNetwork, pipeline.count < SyncMachine.pipelineLimit {
            do throws(ReplicaError) {
                guard let batch = try store.nextBatch(after: pipeline.last?.id ?? 0) else { break }
                pipeline.append(batch)
                if streams[.write]!.isOpen, hasShakenHands { send(.writes(batch.writes, streamToken: streamToken)) }
            } catch {
                return goOfflineUntilStored(.probe)
            }
        }
        if pipeline.isEmpty { markIdle(.write) }
        if canUseNetwork, !pipeline.isEmpty, !streams[.write]!.isStarted { startWriteStream() }
    }

    private func startWriteStream() {
        hasShakenHands = false
        start(.write)
    }

    func send(_ request: WriteRequest) {
        markBusy(.write)
        effects.append(.sendWrites(request))
    }

    func handle(_ response: WriteResponse) {
        streamToken = response.streamToken
        guard hasShakenHands else {
            hasShakenHands = true
            for batch in pipeline { send(.writes(batch.writes, streamToken: streamToken)) }
            return
        }
        streams[.write]!.backoff.reset()
        // The answer to a goodbye has no commit.
        guard let commit = response.commit, !pipeline.isEmpty else { return }
        storeOrGoOffline(.acknowledge(pipeline.removeFirst(), commit))
        fillPipeline()
    }

    /// The server ends the stream to refuse the first batch that it has not answered.
    func writeStreamClosed(_ error: SyncError?) {
        let wasReady = hasShakenHands
        hasShakenHands = false
        if let error, !wasReady, error.isPermanent { streamToken = [] }
        if let error, wasReady, error.rejectsWrite, !pipeline.isEmpty {
            let batch = pipeline.removeFirst()
            forgetFailures(of: .write)
            storeOrGoOffline(.reject(batch, error))
            fillPipeline()
        }
        if canUseNetwork, !pipeline.isEmpty, !streams[.write]!.isStarted { startWriteStream() }
    }
}
