// SPDX-License-Identifier: Apache-2.0

public import Observation

/// How a live query handles documents that cannot be decoded.
public enum DecodingFailureStrategy: Sendable, Hashable {
    /// Leaves them out. The first error is in ``LiveQuery/error``.
    case ignore
    /// Makes the whole result an error.
    case raise
}

/// A query whose result stays current, as observable values. It gives every program what FirebaseFirestore's
/// `FirestoreQuery` gives to SwiftUI.
///
/// ```swift
/// let tasks = LiveQuery<Task>(collectionPath: "tasks", predicates: [
///     .whereField("userId", isEqualTo: "alice"), .order(by: "createdTime"),
/// ])
/// print(tasks.items)                    // [] at first, then whatever the database holds
/// tasks.predicates.append(.limit(to: 10)) // from now on the first ten
/// ```
///
/// It listens for as long as it exists. It is isolated to the main actor, like views; a program that does not run the
/// main actor uses ``Query/snapshots``.
@MainActor @Observable
public final class LiveQuery<Element: Decodable & Sendable> {
    /// The query to which the predicates are added. Changing it starts a new query.
    public var query: Query { didSet { listen() } }

    /// The predicates added to the query. Changing them starts a new query; the result stays until the new one arrives.
    public var predicates: [QueryPredicate] { didSet { listen() } }

    /// How to handle documents that cannot be decoded. A change applies to the current result.
    public var decodingFailureStrategy: DecodingFailureStrategy {
        didSet { if let latest { show(latest) } }
    }

    /// The current result, empty until the first one arrives. It is a failure if the query is refused or, with
    /// ``DecodingFailureStrategy/raise``, if a document cannot be decoded: then it is the first decoding error.
    public private(set) var result: Result<[Element], any Error> = .success([])

    /// The current error: the failure of ``result`` or, with ``DecodingFailureStrategy/ignore``, the first decoding
    /// error; nil if there is none.
    public private(set) var error: (any Error)?

    /// The current result; empty if it is a failure.
    public var items: [Element] { (try? result.get()) ?? [] }

    /// The path of the queried collection. Changing it starts a new query.
    public var path: String {
        get { query.describedPath }
        set { query = query.firestore.collection(newValue) }
    }

    /// Applies a change of the result. SwiftUI's wrapper animates it.
    @ObservationIgnored var perform: (_ change: () -> Void) -> Void = { $0() }
    @ObservationIgnored private var latest: QuerySnapshot?
    @ObservationIgnored private var listener: Task<Void, Never>?

    /// Creates a live query from any query.
    public init(
        _ query: Query, predicates: [QueryPredicate] = [],
        decodingFailureStrategy: DecodingFailureStrategy = .raise
    ) {
        self.query = query
        self.predicates = predicates
        self.decodingFailureStrategy = decodingFailureStrategy
        listen()
    }

    /// Creates a live query of a collection, in ``Database/firestore()`` if no database is given.
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
        // A view shows only the newest result.
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
