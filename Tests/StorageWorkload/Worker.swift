// SPDX-License-Identifier: Apache-2.0

package import DocumentEngine
package import DocumentModel

extension Workload {
    /// The write by which a step records its progress.
    package static func progress(_ number: Int, writer: Int) -> Write {
        .set(Workload.progress(writer), Fields([Field("n", .integer(Int64(number)))])!)
    }

    /// Runs one step.
    package func run(_ number: Int, writer: Int, on engine: Engine) throws(EngineError) {
        let progress = Workload.progress(number, writer: writer)
        switch step(number, writer: writer) {
        case .indexes(let configuration): try engine.apply(configuration, prune: true)
        case .batch(let writes): try commit(writes + [progress], engine)
        case .transaction: try countUp(progress, engine)
        }
    }

    /// Usually together with a commit that is refused, because only commits of several callers have placed pages.
    private func commit(_ writes: [Write], _ engine: Engine) throws(EngineError) {
        engine.commit([Write(Workload.nothing, .delete, precondition: .exists(true))]) { _ in }
        _ = try engine.commit(writes)
    }

    /// Runs one bulk load.
    package func runLoad(_ number: Int, on engine: Engine) throws(EngineError) {
        var documents = load(number)[...]
        _ = try engine.load(
            next: { () throws(EngineError) in documents.popFirst() },
            reject: { path, error in fatalError("\(path) was not loaded: \(error)") })
    }

    /// Reads the shared counter and increments it. Retries if another writer came between.
    private func countUp(_ progress: Write, _ engine: Engine) throws(EngineError) {
        while true {
            let old = try engine.document(Workload.counter)
            let count = Workload.integer(old, "n")
            var counter = Write.set(Workload.counter, Fields([Field("n", .integer(count + 1))])!)
            counter.precondition = old.map { .updateTime($0.updateTime) } ?? .exists(false)
            do throws(EngineError) {
                _ = try engine.commit([counter, progress])
                return
            } catch {
                guard case .refused = error else { throw error }
            }
        }
    }

    static func integer(_ document: Document?, _ name: Text) -> Int64 {
        if case .integer(let number)? = document?.fields[name] { number } else { 0 }
    }
}
