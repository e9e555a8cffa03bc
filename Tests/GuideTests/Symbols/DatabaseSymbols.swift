// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import Hearth
import Testing

@Suite struct DatabaseSymbols {
    @Test func settings() throws {
        // FirestoreSettings
        // FirestoreSettings.init()
        let settings: FirestoreSettings = FirestoreSettings()
        // FirestoreSettings.cacheSettings
        settings.cacheSettings = PersistentCacheSettings()
        // FirestoreSettings.isPersistenceEnabled
        settings.isPersistenceEnabled = true
        // FirestoreSettings.dispatchQueue
        settings.dispatchQueue = DispatchQueue(label: "callbacks")
        // FirestoreSettings.host
        settings.host = "localhost:8080"
        // FirestoreSettings.isSSLEnabled
        settings.isSSLEnabled = false
        // FirestoreSettings.cacheSizeBytes
        settings.cacheSizeBytes = 100 * 1_024 * 1_024
        // FirestoreCacheSizeUnlimited
        settings.cacheSizeBytes = FirestoreCacheSizeUnlimited
        #expect(settings.cacheSizeBytes == -1)
    }

    @Test func cacheSettings() throws {
        let settings = FirestoreSettings()
        // LocalCacheSettings
        // PersistentCacheSettings
        // PersistentCacheSettings.init()
        let file: any LocalCacheSettings = PersistentCacheSettings()
        settings.cacheSettings = file
        // PersistentCacheSettings.init(sizeBytes:)
        settings.cacheSettings = PersistentCacheSettings(sizeBytes: 100 * 1_024 * 1_024 as NSNumber)
        #expect(settings.isPersistenceEnabled)
        // MemoryCacheSettings
        // MemoryCacheSettings.init()
        settings.cacheSettings = MemoryCacheSettings()
        // MemoryGarbageCollectorSettings
        // MemoryEagerGCSetting
        // MemoryEagerGCSetting.init()
        let eager: any MemoryGarbageCollectorSettings = MemoryEagerGCSetting()
        // MemoryCacheSettings.init(garbageCollectorSettings:)
        settings.cacheSettings = MemoryCacheSettings(garbageCollectorSettings: eager)
        // MemoryLRUGCSettings
        // MemoryLRUGCSettings.init()
        let recent = MemoryLRUGCSettings()
        settings.cacheSettings = MemoryCacheSettings(garbageCollectorSettings: recent)
        // MemoryLRUGCSettings.init(sizeBytes:)
        let limited = MemoryLRUGCSettings(sizeBytes: 1_048_576)
        settings.cacheSettings = MemoryCacheSettings(garbageCollectorSettings: limited)
        #expect(!settings.isPersistenceEnabled)
    }

    @Test func bundles() async throws {
        let db = try emptyDatabase()
        // Firestore.loadBundle(_:)
        // LoadBundleTask
        let load: () -> LoadBundleTask = { db.loadBundle(Data()) }
        let task = load()
        // LoadBundleTaskProgress
        // LoadBundleTask.addObserver(_:)
        // LoadBundleObserverHandle
        let handle: LoadBundleObserverHandle = task.addObserver { (progress: LoadBundleTaskProgress) in
            // LoadBundleTaskProgress.documentsLoaded
            // LoadBundleTaskProgress.totalDocuments
            // LoadBundleTaskProgress.bytesLoaded
            // LoadBundleTaskProgress.totalBytes
            let counts = [
                progress.documentsLoaded, progress.totalDocuments, progress.bytesLoaded, progress.totalBytes,
            ]
            #expect(counts == [0, 0, 0, 0])
            // LoadBundleTaskProgress.state
            // LoadBundleTaskState
            switch progress.state as LoadBundleTaskState {
            // LoadBundleTaskState.error
            case .error: break
            // LoadBundleTaskState.inProgress
            // LoadBundleTaskState.success
            case .inProgress, .success: Issue.record("there is no remote")
            @unknown default: break
            }
            // LoadBundleTaskProgress.isEqual(_:)
            #expect(progress.isEqual(progress))
        }
        // LoadBundleTask.removeObserverWith(handle:)
        task.removeObserverWith(handle: handle)
        // LoadBundleTask.removeAllObservers()
        task.removeAllObservers()
        // Firestore.loadBundle(_:completion:)
        db.loadBundle(Data()) { progress, error in #expect(progress == nil && error != nil) }
        // Firestore.loadBundle(_:) async
        await #expect(throws: FirestoreError.self) { try await db.loadBundle(Data()) }
        // Firestore.getQuery(named:) async
        #expect(await db.getQuery(named: "latest") == nil)
        // Firestore.getQuery(named:completion:)
        db.getQuery(named: "latest") { query in #expect(query == nil) }
    }

    @Test func databases() async throws {
        let db = try emptyDatabase()
        // Firestore
        // Firestore.firestore()
        let get: () -> Firestore = { Firestore.firestore() }
        _ = get
        // Firestore.settings
        let settings: FirestoreSettings = db.settings
        #expect(settings.cacheSettings is MemoryCacheSettings)
        // Firestore.collection(_:)
        let cities: CollectionReference = db.collection("cities")
        // Firestore.document(_:)
        let city: DocumentReference = db.document("cities/SF")
        #expect(city.parent == cities)
        // Firestore.collectionGroup(_:)
        let landmarks: Query = db.collectionGroup("landmarks")
        #expect(try await landmarks.getDocuments().isEmpty)
        // Firestore.batch()
        let batch: WriteBatch = db.batch()
        try await batch.commit()
        // Firestore.enableLogging(_:)
        Firestore.enableLogging(false)
        // Firestore.useEmulator(withHost:port:)
        db.useEmulator(withHost: "127.0.0.1", port: 8_080)
        let json = #"{"indexes": []}"#
        // Firestore.setIndexConfiguration(_:completion:)
        db.setIndexConfiguration(json) { error in #expect(error == nil) }
        // Firestore.setIndexConfiguration(_:) async
        try await db.setIndexConfiguration(json)
        // Firestore.terminate() async
        try await db.terminate()
        // Firestore.terminate(completion:)
        db.terminate { error in #expect(error == nil) }
        let another = try emptyDatabase()
        await finished { done in
            another.terminate { error in
                #expect(error == nil)
                done()
            }
        }
    }

    @Test func transactions() async throws {
        let db = try emptyDatabase()
        let city = db.document("cities/SF")
        try await city.setData(["population": 1])
        await finished { done in
            // Firestore.runTransaction(_:completion:)
            db.runTransaction(
                { (transaction, errorPointer) -> Any? in
                    transaction.updateData(["population": 2], forDocument: city)
                    return 2
                }
            ) { object, error in
                #expect(object as? Int == 2 && error == nil)
                done()
            }
        }
        // TransactionOptions
        // TransactionOptions.init()
        let options: TransactionOptions = TransactionOptions()
        // TransactionOptions.maxAttempts
        options.maxAttempts = 3
        await finished { done in
            // Firestore.runTransaction(with:block:completion:)
            db.runTransaction(
                with: options,
                block: { (transaction, errorPointer) -> Any? in
                    transaction.updateData(["population": 3], forDocument: city)
                    return nil
                },
                completion: { _, error in
                    #expect(error == nil)
                    done()
                })
        }
        // Firestore.runTransaction(_:) async
        let result = try await db.runTransaction({ (transaction, errorPointer) -> Any? in
            transaction.updateData(["population": 4], forDocument: city)
            return "done"
        })
        #expect(result as? String == "done")
        #expect(try await city.getDocument()["population"] as? Int == 4)
    }
}
