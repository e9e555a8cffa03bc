// SPDX-License-Identifier: Apache-2.0

internal import Hearth

/// Writes and reads DOCUMENTS=20000 tasks through the public interface. Meant for debug builds, where a program's own code
/// is not optimised.
func runDebugBenchmark() throws {
    let count = environmentNumber("DOCUMENTS") ?? 20_000
    let path = ".debug-\(processID).db"
    defer { removeDatabase(path) }
    let settings = FirestoreSettings()
    settings.durability = .mayLoseDatabase
    let database = try Database.open(path: path, settings: settings)
    let tasks = database.collection("tasks")
    try measure("batches of 500, of Codable values") {
        for start in stride(from: 0, to: count, by: 500) {
            let batch = database.batch()
            for index in start..<min(start + 500, count) {
                try batch.setData(from: Task(index), forDocument: tasks.document("task-\(index)"))
            }
            try batch.sync.commit()
        }
    }
    let documents = try measure("getDocuments") { try tasks.sync.getDocuments().documents }
    try measure("data(as:)") { for document in documents { _ = try document.data(as: Task.self) } }
    measure("data()") { for document in documents { _ = document.data() } }
    try measure("point reads") {
        for index in 0..<count {
            _ = try tasks.document("task-\(index)").sync.getDocument().get("priority", as: Int.self)
        }
    }
}

@discardableResult
private func measure<R>(_ name: String, _ body: () throws -> R) rethrows -> R {
    let clock = ContinuousClock()
    let (start, startOfProcessor) = (clock.now, processorTime())
    let result = try body()
    let (elapsed, ofProcessor) = (clock.now - start, processorTime() - startOfProcessor)
    print("\(name): \(milliseconds(elapsed)) ms, \(milliseconds(ofProcessor)) of the processor")
    return result
}

private func milliseconds(_ duration: Duration) -> Int64 { Int64(duration / .milliseconds(1)) }
