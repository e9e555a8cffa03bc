// SPDX-License-Identifier: Apache-2.0

#if Server || Connected
    package import DocumentModel
    internal import IndexCatalog
    package import QueryPlanner
    internal import SwiftProtobuf

    // Queries as a client sends them.
    extension Query {
        /// The message of a query. A limit to the last rows has none: the caller reverses the query before.
        package func message(in database: DatabaseID) -> ProtoStructuredQuery {
            var message = ProtoStructuredQuery()
            var selector = ProtoStructuredQuery.CollectionSelector()
            selector.collectionID = from.collectionID?.string ?? ""
            selector.allDescendants = from.allDescendants
            message.from = [selector]
            if let filter = filter?.message { message.where = filter }
            message.orderBy = orders.map(\.message)
            if let start { message.startAt = start.message }
            if let end { message.endAt = end.message }
            message.offset = Int32(clamping: offset)
            if let limit { message.limit = .init(Int32(clamping: limit)) }
            if let projection { message.select.fields = projection.map(\.message) }
            if let nearest { message.findNearest = nearest.message }
            return message
        }

        /// The name of the document, or of the root, below which the query looks.
        package func parentName(in database: DatabaseID) -> String { ResourceName.name(of: parent, in: database) }
    }

    extension ResourceName {
        /// The name of a document, or of the database's root.
        package static func name(of parent: DocumentPath?, in database: DatabaseID) -> String {
            parent?.name(in: database) ?? "\(database.resourceName)/documents"
        }
    }

    extension AggregationQuery {
        package func message(in database: DatabaseID) -> ProtoStructuredAggregationQuery {
            var message = ProtoStructuredAggregationQuery()
            message.structuredQuery = query.message(in: database)
            message.aggregations = aggregations.map(\.message)
            return message
        }
    }

    extension Aggregation {
        fileprivate var message: ProtoStructuredAggregationQuery.Aggregation {
            var message = ProtoStructuredAggregationQuery.Aggregation()
            if let alias { message.alias = alias.string }
            switch kind {
            case .count(let limit):
                message.count = .init()
                if let limit { message.count.upTo = .init(limit) }
            case .sum(let path): message.sum.field = path.message
            case .average(let path): message.avg.field = path.message
            }
            return message
        }
    }

    extension FieldPath {
        fileprivate var message: ProtoStructuredQuery.FieldReference {
            var message = ProtoStructuredQuery.FieldReference()
            message.fieldPath = wire
            return message
        }
    }

    extension Order {
        fileprivate var message: ProtoStructuredQuery.Order {
            var message = ProtoStructuredQuery.Order()
            message.field = path.message
            message.direction = direction == .descending ? .descending : .ascending
            return message
        }
    }

    extension Filter {
        /// Nil for a conjunction of nothing, which excludes nothing.
        fileprivate var message: ProtoStructuredQuery.Filter? {
            var message = ProtoStructuredQuery.Filter()
            switch self {
            case .field(let path, let op, let value):
                message.fieldFilter.field = path.message
                message.fieldFilter.op = op.message
                message.fieldFilter.value = value.message
            case .unary(let path, let op):
                message.unaryFilter.field = path.message
                message.unaryFilter.op = op.message
            case .and(let filters):
                if filters.isEmpty { return nil }
                message.compositeFilter.op = .and
                message.compositeFilter.filters = filters.compactMap(\.message)
            case .or(let filters):
                message.compositeFilter.op = .or
                message.compositeFilter.filters = filters.compactMap(\.message)
            }
            return message
        }
    }

    extension FieldOperator {
        fileprivate var message: ProtoStructuredQuery.FieldFilter.Operator {
            switch self {
            case .lessThan: .lessThan
            case .lessThanOrEqual: .lessThanOrEqual
            case .greaterThan: .greaterThan
            case .greaterThanOrEqual: .greaterThanOrEqual
            case .equal: .equal
            case .notEqual: .notEqual
            case .arrayContains: .arrayContains
            case .in: .in
            case .arrayContainsAny: .arrayContainsAny
            case .notIn: .notIn
            }
        }
    }

    extension UnaryOperator {
        fileprivate var message: ProtoStructuredQuery.UnaryFilter.Operator {
            switch self {
            case .isNaN: .isNan
            case .isNull: .isNull
            case .isNotNaN: .isNotNan
            case .isNotNull: .isNotNull
            }
        }
    }

    extension FindNearest {
        fileprivate var message: ProtoStructuredQuery.FindNearest {
            var message = ProtoStructuredQuery.FindNearest()
            message.vectorField = path.message
            message.queryVector = Value.vector(vector).message
            message.distanceMeasure =
                switch measure {
                case .euclidean: .euclidean
                case .cosine: .cosine
                case .dotProduct: .dotProduct
                }
            message.limit = .init(Int32(clamping: limit))
            if let distanceField { message.distanceResultField = distanceField.string }
            if let threshold { message.distanceThreshold = .init(threshold) }
            return message
        }
    }
#endif
