// SPDX-License-Identifier: Apache-2.0

extension Query {
    /// Returns the query's documents in batches, for results that are larger than memory should hold.
    ///
    /// ```swift
    /// for try await cities in database.collection("cities").batches(of: 500) {
    ///     for city in cities { print(city.documentID) }
    /// }
    /// ```
    ///
    /// Each batch is a separate read, which starts after the last document of the previous batch. A document that is
    /// written meanwhile is found at its position when its batch is read: if a write moves it in the query's order, it
    /// may be missed or found twice. In the order of names, the default, documents do not move.
    ///
    /// - Parameter size: the number of documents per batch; the last batch may have fewer. A limit of the query is
    ///   ignored.
    public func batches(of size: Int) -> QueryBatches { QueryBatches(query: self, size: size) }
}

/// An asynchronous sequence of batches; see ``Query/batches(of:)``.
public struct QueryBatches: AsyncSequence, Sendable {
    /// A batch of documents, which is never empty.
    public typealias Element = [QueryDocumentSnapshot]
    /// The errors are of type ``FirestoreError``.
    public typealias Failure = any Error

    let query: Query
    let size: Int

    /// Starts with the first document.
    public func makeAsyncIterator() -> Iterator { Iterator(query: query, size: size) }

    /// Reads a batch when it is requested.
    public struct Iterator: AsyncIteratorProtocol {
        let query: Query
        let size: Int
        private var last: QueryDocumentSnapshot?
        private var isFinished = false

        init(query: Query, size: Int) {
            self.query = query
            self.size = size
        }

        /// Reads the next batch. Returns nil after the last document.
        ///
        /// - Throws: ``FirestoreError``, as other reads of the query, most often for a missing index.
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
