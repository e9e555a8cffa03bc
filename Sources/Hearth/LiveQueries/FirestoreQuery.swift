// SPDX-License-Identifier: Apache-2.0

#if canImport(SwiftUI)
    public import SwiftUI

    /// A live query of the default database as a property of a view. The view updates when the result changes.
    ///
    /// ```swift
    /// struct TaskList: View {
    ///     @FirestoreQuery(collectionPath: "tasks", predicates: [.order(by: "createdTime")]) var tasks: [Task]
    ///
    ///     var body: some View { List(tasks) { Text($0.title) } }
    /// }
    /// ```
    ///
    /// With the type `Result<[Task], any Error>`, the property also says why there is no result. `$tasks` changes the
    /// query; see ``Configuration``.
    @MainActor @propertyWrapper
    public struct FirestoreQuery<Value>: DynamicProperty {
        /// What the query asks for. Changing it starts a new query.
        public struct Configuration {
            /// The path of the collection.
            public var path: String
            /// Filters, orders, limits.
            public var predicates: [QueryPredicate]
            /// How to handle documents that cannot be decoded.
            public var decodingFailureStrategy: DecodingFailureStrategy
            /// How changes of the result are animated; nil for no animation.
            public var animation: Animation?
            /// The current error; nil if there is none.
            public internal(set) var error: (any Error)?
        }

        /// Created once for the life of the view.
        @MainActor private final class Store: ObservableObject {
            let value: () -> Value
            let configuration: (Animation?) -> Configuration
            let configure: (Configuration) -> Void
            var animation: Animation?

            init<Element: Decodable & Sendable>(
                _ live: LiveQuery<Element>, _ animation: Animation?,
                _ value: @escaping (LiveQuery<Element>) -> Value
            ) {
                self.animation = animation
                self.value = { value(live) }
                configuration = {
                    Configuration(
                        path: live.path, predicates: live.predicates,
                        decodingFailureStrategy: live.decodingFailureStrategy, animation: $0, error: live.error)
                }
                configure = { configuration in
                    live.decodingFailureStrategy = configuration.decodingFailureStrategy
                    live.predicates = configuration.predicates
                    if live.path != configuration.path { live.path = configuration.path }
                }
                live.perform = { [weak self] change in withAnimation(self?.animation, change) }
            }
        }

        @StateObject private var store: Store

        /// The current result.
        public var wrappedValue: Value { store.value() }

        /// The query's configuration, which can be changed.
        public var projectedValue: Configuration {
            get { store.configuration(store.animation) }
            nonmutating set {
                store.animation = newValue.animation
                store.configure(newValue)
            }
        }

        /// Creates a query of a collection's documents as values; empty if there is an error.
        public init<Element: Decodable & Sendable>(
            collectionPath: String, predicates: [QueryPredicate] = [],
            decodingFailureStrategy: DecodingFailureStrategy = .raise, animation: Animation? = nil
        ) where Value == [Element] {
            _store = StateObject(
                wrappedValue: Store(
                    LiveQuery<Element>(
                        collectionPath: collectionPath, predicates: predicates,
                        decodingFailureStrategy: decodingFailureStrategy), animation
                ) { $0.items })
        }

        /// Creates a query of a collection's documents as values, or an error.
        public init<Element: Decodable & Sendable>(
            collectionPath: String, predicates: [QueryPredicate] = [],
            decodingFailureStrategy: DecodingFailureStrategy = .raise, animation: Animation? = nil
        ) where Value == Result<[Element], any Error> {
            _store = StateObject(
                wrappedValue: Store(
                    LiveQuery<Element>(
                        collectionPath: collectionPath, predicates: predicates,
                        decodingFailureStrategy: decodingFailureStrategy), animation
                ) { $0.result })
        }
    }
#endif
