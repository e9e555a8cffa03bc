// SPDX-License-Identifier: Apache-2.0

public import Observation

/// What a live query does with documents that cannot be decoded (C-50).
public enum DecodingFailureStrategy: Sendable, Hashable {
    /// Leaves them out; the error is in ``LiveQuery/error``.
    case ignore
    /// One of them makes the whole result an error.
    case raise
}

/// A query whose result is always the current one, as values that can be observed: what `FirestoreQuery` of FirebaseFirestore
/// is to SwiftUI, for every program.
///
/// ```swift
/// let tasks = LiveQuery<Task>(collectionPath: "tasks", predicates: [
///     .whereField("userId", isEqualTo: "alice"), .order(by: "createdTime"),
/// ])
/// print(tasks.items)                    // [] at first, then whatever the database holds
/// tasks.predicates.append(.limit(to: 10)) // from now on the first ten
/// ```
///
/// It listens as long as it exists, and belongs to the main actor, where views are. A program without one that runs uses
/// ``Query/snapshots``.
@MainActor @Observable
public final class LiveQuery<Element: Decodable & Sendable> {
    /// The query to which the predicates are added. Changing it begins anew.
    public var query: Query { didSet { listen() } }

    /// What is added to the query. Changing them begins anew; the result stays until the new one is there.
    public var predicates: [QueryPredicate] { didSet { listen() } }

    /// What to do with documents that cannot be decoded. Changing it applies to the result that is there.
    public var decodingFailureStrategy: DecodingFailureStrategy {
        didSet { if let latest { show(latest) } }
    }

    /// The current result, empty before the first one is there, or why there is none: a refused query, as a listener gets it
    /// (C-51), or with ``DecodingFailureStrategy/raise`` the first error of decoding.
    public private(set) var result: Result<[Element], any Error> = .success([])

    /// What went wrong: the failure of ``result``, or with ``DecodingFailureStrategy/ignore`` the first error of decoding;
    /// nil if nothing did.
    public private(set) var error: (any Error)?

    /// The current result; empty where there is none.
    public var items: [Element] { (try? result.get()) ?? [] }

    /// The path of the collection that is queried. Changing it begins anew.
    public var path: String {
        get { query.describedPath }
        set { query = query.firestore.collection(newValue) }
    }

    /// Makes a change of the result; SwiftUI's wrapper animates it.
    @ObservationIgnored var perform: (_ change: () -> Void) -> Void = { $0() }
    @ObservationIgnored private var latest: QuerySnapshot?
    @ObservationIgnored private var listener: Task<Void, Never>?

    /// The result of any query.
    public init(
        _ query: Query, predicates: [QueryPredicate] = [],
        decodingFailureStrategy: DecodingFailureStrategy = .raise
    ) {
        self.query = query
        self.predicates = predicates
        self.decodingFailureStrategy = decodingFailureStrategy
        listen()
    }

    /// The result of a query of a collection, of ``Database/firestore()`` if no database is given.
    public convenience init(
        collectionPath: String, predicates: [QueryPredicate] = [],
        decodingFailureStrategy: DecodingFailureStrategy = .raise, database: Database? = nil
    ) {
        self.init(
            (database ?? .firestore()).collection(collectionPath), predicates: predicates,
            decodingFailureStrategy: decodingFailureStrategy)
    }

    deinit { listener?.cancel() }

    private func listen() {
        listener?.cancel()
        // A view shows the newest result only.
        let snapshots = QuerySnapshots(query: predicates.reduce(query) { $1.add($0) }, limit: 1)
        listener = Task { [weak self] in
            do {
                for try await snapshot in snapshots {
                    guard !Task.isCancelled else { return }
                    self?.show(snapshot)
                }
            } catch {
                guard !Task.isCancelled else { return }
                self?.fail(error)
            }
        }
    }

    private func show(_ snapshot: QuerySnapshot) {
        latest = snapshot
        var items: [Element] = []
        var failure: (any Error)?
        for document in snapshot.documents {
            do { items.append(try document.data(as: Element.self)) } catch { failure = failure ?? error }
        }
        if let failure, decodingFailureStrategy == .raise {
            set(.failure(failure), failure)
        } else {
            set(.success(items), failure)
        }
    }

    private func fail(_ failure: any Error) {
        latest = nil
        set(.failure(failure), failure)
    }

    private func set(_ newResult: Result<[Element], any Error>, _ newError: (any Error)?) {
        perform {
            result = newResult
            error = newError
        }
    }
}
