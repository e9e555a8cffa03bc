// SPDX-License-Identifier: Apache-2.0

#if canImport(SwiftUI)
    public import SwiftUI

    /// A live query of the default database as a property of a view; the view is drawn again when the result changes (C-47).
    ///
    /// ```swift
    /// struct TaskList: View {
    ///     @FirestoreQuery(collectionPath: "tasks", predicates: [.order(by: "createdTime")]) var tasks: [Task]
    ///
    ///     var body: some View { List(tasks) { Text($0.title) } }
    /// }
    /// ```
    ///
    /// As `Result<[Task], any Error>` the property says why there is no result. `$tasks` changes the query; see
    /// ``Configuration``.
    @MainActor @propertyWrapper
    public struct FirestoreQuery<Value>: DynamicProperty {
        /// What is asked; changing it asks anew (C-48).
        public struct Configuration {
            /// The path of the collection.
            public var path: String
            /// Filters, orders, limits.
            public var predicates: [QueryPredicate]
            /// What to do with documents that cannot be decoded.
            public var decodingFailureStrategy: DecodingFailureStrategy
            /// How changes of the result are animated; nil for not at all.
            public var animation: Animation?
            /// What went wrong; nil if nothing did.
            public internal(set) var error: (any Error)?
        }

        /// Made once for the life of the view.
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

        /// What is asked, to be changed.
        public var projectedValue: Configuration {
            get { store.configuration(store.animation) }
            nonmutating set {
                store.animation = newValue.animation
                store.configure(newValue)
            }
        }

        /// The documents of a collection as values; empty where there is an error.
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

        /// The documents of a collection as values, or an error.
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
