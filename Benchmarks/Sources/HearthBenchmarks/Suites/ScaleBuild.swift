// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Hearth

/// An index of all tasks, built and removed while another thread writes documents, which are to wait as little as if they were alone.
struct ScaleBuild {
    static let name = "scale: build"

    private let tasks: Dataset
    private let database: Database

    init(_ tasks: Dataset, _ path: String) throws {
        self.tasks = tasks
        database = try Database.open(path: path)
    }

    func run(_ bench: Bench) throws {
        var wanted = tasks
        wanted.composites.append([(field: "status", descending: false), (field: "priority", descending: true)])
        let (more, fewer) = (wanted.indexConfiguration, tasks.indexConfiguration)
        try beside("nothing", bench) { Thread.sleep(forTimeInterval: 2) }
        try beside("a build", bench) {
            let course = try Watch.course { _ in try database.sync.setIndexConfiguration(more) }
            bench.report.add(ScaleBuild.name, size: tasks.count, course)
        }
        try beside("a removal", bench) {
            let course = try Watch.course { _ in try database.sync.setIndexConfiguration(fewer) }
            bench.report.add("\(ScaleBuild.name): removal", size: tasks.count, course)
        }
    }

    /// A thread commits one document after another as long as the body takes.
    private func beside(_ what: String, _ bench: Bench, _ body: () throws -> Void) throws {
        // Another collection of the same group: the index covers it, and the answers about the tasks stay the same.
        let collection = database.collection("writers/\(UUID().uuidString)/\(tasks.collection)")
        let document = tasks.document
        let times = try RepeatedWork.timed(
            { number in
                let task = document(number)
                let data = Dictionary(uniqueKeysWithValues: task.fields.map { ($0.name, $0.value.firestore) })
                try collection.document(task.id).sync.setData(data)
            }, while: body
        ).sorted()
        guard let longest = times.last else { return }
        bench.report.add(
            Report.Figure(
                name: "\(ScaleBuild.name): a write beside \(what)", size: tasks.count, value: longest / 1e6,
                unit: "ms at most; median \(duration(times.median)), \(times.count) commits", atMost: 50))
    }
}
