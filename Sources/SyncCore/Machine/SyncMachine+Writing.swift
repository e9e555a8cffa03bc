// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

// Local writes, and the write stream that carries them in order.
extension SyncMachine {
    /// How many batches may be on their way at once.
    private static let pipelineLimit = 10

    /// Writes of nothing succeed. A condition alone cannot wait in a queue: only a transaction may make it.
    func write(_ writes: [Write], _ write: Int) {
        guard !writes.isEmpty else { return effects.append(.writeFinished(nil, write: write)) }
        guard !writes.contains(where: \.operation.isVerification) else {
            let error = SyncError(.invalidArgument, "A write that only verifies a document belongs in a transaction.")
            return effects.append(.writeFinished(error, write: write))
        }
        do throws(ReplicaError) {
            let marker = marker(of: writes)
            let isSentAtOnce =
                canSend && pipeline.count == sentCount && pipeline.count < SyncMachine.pipelineLimit
                && !isHeldBack(Set(writes.map(\.path)), marker, behind: pipeline[...])
            let (batch, changes) = try store.writeLocally(
                writes, at: now, isSentAtOnce: isSentAtOnce, marker: marker)
            if isSentAtOnce { countedBatch = batch }
            queued(batch, changes, write)
        } catch {
            effects.append(.writeFinished(SyncError(error), write: write))
        }
    }

    /// A batch has joined the queue.
    func queued(_ batch: Int, _ changes: DocumentChanges, _ write: Int) {
        writesOfBatch[store.user, default: [:]][batch] = write
        emit(changes)
        effects.append(.writeStored(write: write))
        fillPipeline()
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
    func finish(_ batch: MutationBatch, _ error: SyncError?) { finish(batch.id, error) }

    func finish(_ batch: Int, _ error: SyncError?) {
        // No two users have a batch of one number, and the owner may have changed the user meanwhile.
        for user in writesOfBatch.keys {
            guard let write = writesOfBatch[user]?.removeValue(forKey: batch) else { continue }
            effects.append(.writeFinished(error, write: write))
        }
        for wait in waitsForBatch.removeValue(forKey: batch) ?? [] {
            effects.append(.pendingWritesFinished(nil, wait: wait))
        }
    }

    // MARK: The pipeline

    private var canSend: Bool { canUseNetwork && streams[.write]!.isOpen && hasShakenHands && doubt == nil }

    func fillPipeline() {
        while canUseNetwork, namedUsers.isEmpty, !store.isUserAwaited, pipeline.count < SyncMachine.pipelineLimit {
            do throws(ReplicaError) {
                guard let batch = try store.nextBatch(after: pipeline.last?.id ?? 0) else { break }
                pipeline.append(batch)
            } catch {
                return goOfflineUntilStored(.probe)
            }
        }
        if pipeline.isEmpty { markIdle(.write) }
        sendPipeline()
        startWriteStreamIfNeeded()
    }

    /// Sends what the open stream has not carried. Attempts are counted on disk first.
    private func sendPipeline() {
        guard canSend, sentCount < pipeline.count else { return }
        let ready = sentCount..<firstHeldBack(from: sentCount)
        let counted = ready.filter { pipeline[$0].id != countedBatch }
        var end = ready.upperBound
        countedBatch = nil
        do throws(ReplicaError) {
            if !counted.isEmpty {
                let batches = try store.countAttempts(of: counted.map { pipeline[$0].id })
                for index in counted.reversed() {
                    if let batch = batches[pipeline[index].id] {
                        pipeline[index] = batch
                    } else {
                        // Another client has cancelled it.
                        pipeline.remove(at: index)
                        end -= 1
                    }
                }
            }
        } catch {
            return goOfflineUntilStored(.probe)
        }
        for batch in pipeline[sentCount..<end] { send(.writes(batch.sentWrites, streamToken: streamToken)) }
        sentCount = end
    }

    func startWriteStreamIfNeeded() {
        guard canUseNetwork, !pipeline.isEmpty, !streams[.write]!.isStarted, doubt == nil else { return }
        hasShakenHands = false
        start(.write)
    }

    func takeFirstOfPipeline() -> MutationBatch {
        sentCount = max(0, sentCount - 1)
        return pipeline.removeFirst()
    }

    /// What it held stays in the queue.
    func clearPipeline() {
        pipeline = []
        sentCount = 0
        doubt = nil
    }

    func send(_ request: WriteRequest) {
        markBusy(.write)
        effects.append(.sendWrites(request))
    }

    func handle(_ response: WriteResponse) {
        streamToken = response.streamToken
        guard hasShakenHands else {
            hasShakenHands = true
            return sendPipeline()
        }
        streams[.write]!.backoff.reset()
        // The answer to a goodbye has no commit.
        guard let commit = response.commit, !pipeline.isEmpty else { return }
        storeOrGoOffline(.acknowledge(takeFirstOfPipeline(), commit))
        fillPipeline()
    }

    /// The server ends the stream to refuse the first batch that it has not answered.
    func writeStreamClosed(_ error: SyncError?) {
        let wasReady = hasShakenHands
        hasShakenHands = false
        sentCount = 0
        if let error, !wasReady, error.isPermanent { streamToken = [] }
        if let error, wasReady, error.rejectsWrite, let batch = pipeline.first {
            if batch.mayBeCommitted(despite: error) { return ask(about: batch, error) }
            rejectFirstOfPipeline(error)
        }
        startWriteStreamIfNeeded()
    }

    /// The server refuses the first batch. The others go on.
    func rejectFirstOfPipeline(_ error: SyncError) {
        forgetFailures(of: .write)
        storeOrGoOffline(.reject(RejectedBatch(batch: takeFirstOfPipeline(), cause: error, time: now)))
        fillPipeline()
    }
}
