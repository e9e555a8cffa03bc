// SPDX-License-Identifier: Apache-2.0

extension Query {
    /// The query's documents in batches, for walks over more documents than memory should hold.
    ///
    /// ```swift
    /// for try await cities in database.collection("cities").batches(of: 500) {
    ///     for city in cities { print(city.documentID) }
    /// }
    /// ```
    ///
    /// Each batch is a read of its own, which begins behind the last document of the one before. A document that is written during
    /// the walk is seen where it lies when its batch is read: not at all, or twice, if the write moves it across that place in the
    /// query's order. In the order of names, the default, nothing moves.
    ///
    /// - Parameter size: how many documents a batch has; the last one may have fewer. A limit of the query is not kept.
    public func batches(of size: Int) -> QueryBatches { QueryBatches(query: self, size: size) }
}

/// See ``Query/batches(of:)``.
public struct QueryBatches: AsyncSequence, Sendable {
    /// A batch: never empty.
    public typealias Element = [QueryDocumentSnapshot]
    /// A ``FirestoreError``.
    public typealias Failure = any Error

    let query: Query
    let size: Int

    /// Begins with the first document.
    public func makeAsyncIterator() -> Iterator { Iterator(query: query, size: size) }

    /// Reads a batch when it is asked for.
    public struct Iterator: AsyncIteratorProtocol {
        let query: Query
        let size: Int
        private var last: QueryDocumentSnapshot?
        private var isFinished = false

        init(query: Query, size: Int) {
            self.query = query
            self.size = size
        }

        /// The next batch; nil behind the last document.
        ///
        /// - Throws: ``FirestoreError``, as the query's other reads do: above all a missing index.
        public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws
            -> [QueryDocumentSnapshot]?
        {
            guard !isFinished else { return nil }
            var page = query.limit(to: size)
            if let last { page = page.start(afterDocument: last) }
            let documents = try await page.getDocuments().documents
            last = documents.last
            isFinished = documents.count < size
            return documents.isEmpty ? nil : documents
        }
    }
}
