// SPDX-License-Identifier: Apache-2.0

package import DocumentEngine
internal import DocumentModel
internal import IndexCatalog

/// Compares a database with its workload.
package struct Inspection {
    /// The last step of each writer: the reported one, or the step after it.
    package private(set) var progress: [Int] = []
    /// The problems, in words; empty if there are none.
    package private(set) var findings: [String] = []

    private let engine: Engine
    private let workload: Workload
    private let states: States

    /// The states of a workload, cached.
    package final class States {
        private let workload: Workload
        private var known: [Int: [WorkloadState]] = [:]

        package init(_ workload: Workload) {
            self.workload = workload
        }

        package func after(_ number: Int, writer: Int) -> WorkloadState {
            var list = known[writer] ?? [WorkloadState()]
            while list.count <= number {
                var state = list[list.count - 1]
                state.apply(list.count, workload.step(list.count, writer: writer))
                list.append(state)
            }
            known[writer] = list
            return list[number]
        }
    }

    /// The number of bulk loads that are there completely.
    package private(set) var loads = 0

    /// - Parameters:
    ///   - promised: the steps that may be the last one of each writer, from the reported one to the begun one.
    ///   - loads: the possible numbers of bulk loads.
    ///   - states: the states of the workload, for reuse.
    package init(
        _ engine: Engine, _ workload: Workload, promised: [ClosedRange<Int>], loads: ClosedRange<Int> = 0...0,
        _ states: States
    )
        throws(EngineError)
    {
        self.engine = engine
        self.workload = workload
        self.states = states
        let report = try engine.verify()
        findings = report.problems
        var documents: [DocumentPath: Fields] = [:]
        try engine.forEachDocument { (document) throws(EngineError) in documents[document.path] = document.fields }
        var transactions = 0
        for (writer, range) in promised.enumerated() {
            let noted = Int(Workload.integer(try engine.document(Workload.progress(writer)), "n"))
            documents[Workload.progress(writer)] = nil
            guard let number = try last(noted, range, writer) else { continue }
            let state = states.after(number, writer: writer)
            compare(&documents, with: state, writer)
            transactions += state.transactions
            progress.append(number)
        }
        compare(&documents, withLoads: loads)
        documents[Workload.counter] = nil
        let counter = Int(Workload.integer(try engine.document(Workload.counter), "n"))
        if progress.count == promised.count, counter != transactions {
            findings.append("\(transactions) transactions counted to \(counter)")
        }
        for path in documents.keys { findings.append("\(path) is there and should not be") }
    }

    /// The last step of the database. Replacing index definitions records no progress, but the definitions show it.
    private mutating func last(_ noted: Int, _ range: ClosedRange<Int>, _ writer: Int) throws(EngineError) -> Int? {
        let candidates = range.filter { states.after($0, writer: writer).progress == noted }
        guard !candidates.isEmpty else {
            findings.append("writer \(writer) stands at step \(noted), promised is one of \(range)")
            return nil
        }
        guard workload.appliesIndexes else { return candidates.last }
        let catalog = try engine.catalog()
        let found = candidates.last { number in
            let configuration = states.after(number, writer: writer).configuration
            return Set(configuration.indexes) == Set(catalog.indexes.composites.map(\.definition))
                && Set(configuration.fieldOverrides) == Set(catalog.indexes.fieldOverrides)
        }
        if found == nil { findings.append("the index definitions are those of none of the steps \(candidates)") }
        return found
    }

    private mutating func compare(_ documents: inout [DocumentPath: Fields], with state: WorkloadState, _ writer: Int) {
        for (path, fields) in state.documents {
            guard let stored = documents.removeValue(forKey: path) else {
                findings.append("\(path) is missing")
                continue
            }
            if !stored.isIdentical(to: fields) { findings.append("\(path) is not as it was written") }
        }
    }

    /// Reported loads are there, and the one that had begun is there completely or not at all.
    private mutating func compare(_ documents: inout [DocumentPath: Fields], withLoads range: ClosedRange<Int>) {
        guard range.upperBound > 0 else { return }
        for number in 1...range.upperBound {
            let wanted = workload.load(number)
            let there = wanted.filter { documents[$0.path] != nil }
            if there.isEmpty, number > range.lowerBound { continue }
            for (path, fields) in wanted {
                let stored = documents.removeValue(forKey: path)
                if stored?.isIdentical(to: fields) != true { findings.append("\(path) was not loaded as it is") }
            }
            loads = number
        }
    }
}
