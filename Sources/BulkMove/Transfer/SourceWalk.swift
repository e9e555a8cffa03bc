// SPDX-License-Identifier: Apache-2.0

package import DocumentEngine
package import DocumentModel
internal import QueryPlanner

/// Goes over a database in pages, from all of its ranges in turn.
struct SourceWalk {
    private struct Lane {
        /// The last name that was read, or the one before the range.
        var last: DocumentPath?
        let end: DocumentPath?
    }

    private let engine: Engine
    private var lanes: [Lane]
    private var turn = 0

    private static let page = 50

    init(_ engine: Engine, _ ranges: KeyRanges) {
        self.engine = engine
        let bounds: [DocumentPath?] = [nil] + ranges.ends + [nil]
        lanes = zip(bounds, bounds.dropFirst()).map { Lane(last: $0, end: $1) }
    }

    /// The next documents; none at the end. Each page is of one state, all together may be of several.
    mutating func next() throws(EngineError) -> [Document] {
        while !lanes.isEmpty {
            if turn >= lanes.count { turn = 0 }
            let lane = lanes[turn]
            // A range ends with its last name, and begins behind the last name of the one before.
            let page = try engine.documents(after: lane.last, upTo: lane.end, limit: SourceWalk.page)
            if page.count < SourceWalk.page {
                lanes.remove(at: turn)
            } else {
                lanes[turn].last = page.last?.path
                turn += 1
            }
            if !page.isEmpty { return page }
        }
        return []
    }
}

extension Engine {
    /// The first documents behind a name, up to and with another one, in the order of names.
    package func documents(
        after start: DocumentPath?, upTo end: DocumentPath?, limit: Int
    ) throws(EngineError) -> [Document] {
        let query = Query(ofAllDocumentsAfter: start, upTo: end, limit: limit, in: database)
        do throws(QueryError) {
            return try run(query, allowScan: true).documents
        } catch {
            switch error {
            case .engine(let error): throw error
            case .planning(let error): throw .refused(.internal, "The documents cannot be listed: \(error)")
            }
        }
    }
}
