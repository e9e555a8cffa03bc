// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import Hearth

/// Commits single documents with and without 10,000 listeners that they do not affect, alternately, with and without
/// syncs.
func runListenerBenchmark() throws {
    for durability in [Durability.mayLoseDatabase, .full] {
        let subjects =
            try [Subject("nobody listens", durability)]
            + Listeners.allCases.map {
                let subject = try Subject($0.rawValue, durability)
                subject.listen($0)
                return subject
            }
        let count = durability == .full ? 60 : 1_000
        for _ in 0..<15 {
            for subject in subjects { try subject.write(count) }
        }
        for subject in subjects {
            subject.removeFiles()
            let percent = (subject.median / subjects[0].median - 1) * 100
            print("\(durability), \(subject.name): \(tenths(subject.median)) µs a commit, \(tenths(percent)) % more")
        }
    }
}

private func tenths(_ number: Double) -> Double { (number * 10).rounded() / 10 }

/// The targets of 10,000 listeners.
private enum Listeners: String, CaseIterable {
    case ofOneCollection = "10,000 users in one collection"
    case ofTheirOwn = "10,000 collections"
    case ofDocuments = "10,000 documents"
    case ofGroups = "10,000 names in one collection group"
    case ofRanges = "10,000 ranges in one collection"
    case ofPages = "10,000 pages of one collection"
    case ofFields = "10,000 fields in one collection"
}

private final class Subject {
    let name: String
    private let database: Database
    private let path: String
    private var number = 0
    private var times: [Double] = []

    init(_ name: String, _ durability: Durability) throws {
        self.name = name
        path = ".listeners-\(processID)-\(name)-\(durability).db"
        let settings = FirestoreSettings()
        settings.durability = durability
        settings.dispatchQueue = DispatchQueue(label: "callbacks")
        database = try Database.open(path: path, settings: settings)
    }

    /// Its listeners keep the database open, so the database does not close by itself.
    func removeFiles() {
        removeDatabase(path)
    }

    /// Starts to listen, and waits for the first snapshots.
    func listen(_ listeners: Listeners) {
        let waiting = DispatchSemaphore(value: 0)
        for number in 0..<10_000 {
            let user = "user\(number)"
            switch listeners {
            case .ofOneCollection:
                database.collection("tasks").whereField("user", isEqualTo: user).whereField("done", isEqualTo: false)
                    .addSnapshotListener { _, _ in waiting.signal() }
            case .ofTheirOwn:
                database.collection("users/\(user)/tasks").addSnapshotListener { _, _ in waiting.signal() }
            case .ofDocuments:
                database.document("tasks/\(user)").addSnapshotListener { _, _ in waiting.signal() }
            case .ofGroups:
                database.collectionGroup("tasks").whereField(FieldPath.documentID(), isEqualTo: "tasks/\(user)")
                    .addSnapshotListener { _, _ in waiting.signal() }
            case .ofRanges:
                database.collection("tasks").whereField("n", isGreaterThan: -number)
                    .whereField("n", isLessThanOrEqualTo: 1 - number).addSnapshotListener { _, _ in waiting.signal() }
            case .ofPages:
                database.collection("tasks").order(by: "title").start(at: ["X\(number)"]).limit(to: 20)
                    .addSnapshotListener { _, _ in waiting.signal() }
            case .ofFields:
                database.collection("tasks").whereField("members.\(user)", isEqualTo: true)
                    .addSnapshotListener { _, _ in waiting.signal() }
            }
        }
        for _ in 0..<10_000 { waiting.wait() }
    }

    func write(_ count: Int) throws {
        let tasks = database.collection("tasks")
        let start = DispatchTime.now().uptimeNanoseconds
        for _ in 0..<count {
            number += 1
            try tasks.document("t\(number % 5_000)").sync.setData([
                "user": "somebody else", "done": false, "title": "Water the plants", "n": number,
                "members": ["somebody else": true],
            ])
        }
        times.append(Double(DispatchTime.now().uptimeNanoseconds - start) / 1_000 / Double(count))
    }

    var median: Double { times.sorted()[times.count / 2] }
}
