// SPDX-License-Identifier: Apache-2.0

#if Server || Connected
    package import DocumentModel
    internal import IndexCatalog
    package import QueryPlanner
    internal import SwiftProtobuf

    extension Query {
        /// The query of a message, not validated. What JSON could not say is refused in the words of ``QueryJSON``.
        package init(
            _ message: ProtoStructuredQuery, under parent: DocumentPath?, in database: DatabaseID
        ) throws(RequestError) {
            guard message.from.count <= 1 else {
                throw .invalid("StructuredQuery.from cannot have more than one collection selector.")
            }
            let selector = message.from.first
            let id = selector?.collectionID ?? ""
            self.init(
                parent: parent,
                from: CollectionSelector(
                    collectionID: id.isEmpty ? nil : Text(id), allDescendants: selector?.allDescendants ?? false))
            if message.hasWhere { filter = try Filter(message.where, in: database) }
            for order in message.orderBy {
                if case .UNRECOGNIZED = order.direction { throw .invalid("Unrecognized ordering.") }
                orders.append(
                    Order(try FieldPath(order.field), order.direction == .descending ? .descending : .ascending))
            }
            if message.hasStartAt { start = try Cursor(message.startAt, in: database) }
            if message.hasEndAt { end = try Cursor(message.endAt, in: database) }
            offset = Int(message.offset)
            limit = message.hasLimit ? Int(message.limit.value) : nil
            if message.hasSelect {
                var paths: [FieldPath] = []
                for field in message.select.fields { paths.append(try FieldPath(field)) }
                projection = paths
            }
            if message.hasFindNearest { nearest = try FindNearest(message.findNearest, in: database) }
        }
    }

    extension FieldPath {
        fileprivate init(_ message: ProtoStructuredQuery.FieldReference) throws(RequestError) {
            do throws(FieldPathError) {
                try self.init(wireSyntax: message.fieldPath)
            } catch {
                throw RequestError(error)
            }
        }
    }

    extension QueryPlanner.Cursor {
        package init(_ message: ProtoCursor, in database: DatabaseID) throws(RequestError) {
            var values: [Value] = []
            for value in message.values { values.append(try Value(value, in: database)) }
            self.init(values, before: message.before)
        }

        package var message: ProtoCursor {
            var message = ProtoCursor()
            message.values = values.map(\.message)
            message.before = before
            return message
        }
    }

    extension Filter {
        /// The decoder of messages bounds the depth.
        fileprivate init(_ message: ProtoStructuredQuery.Filter, in database: DatabaseID) throws(RequestError) {
            switch message.filterType {
            case .fieldFilter(let filter):
                guard let op = FieldOperator(filter.op) else { throw .invalid("Unknown FieldFilter operator.") }
                self = .field(try FieldPath(filter.field), op, try Value(filter.value, in: database))
            case .unaryFilter(let filter):
                guard filter.operandType != nil else {
                    throw .invalid("Unsupported UnaryFilter operand type (non-FIELD).")
                }
                guard let op = UnaryOperator(filter.op) else { throw .invalid("Unknown UnaryFilter operator.") }
                self = .unary(try FieldPath(filter.field), op)
            case .compositeFilter(let filter):
                var filters: [Filter] = []
                for inner in filter.filters { filters.append(try Filter(inner, in: database)) }
                switch filter.op {
                case .and: self = .and(filters)
                case .or: self = .or(filters)
                default: throw .invalid("Unsupported CompositeFilter operator.")
                }
            case nil: throw .invalid("Unknown Filter type.")
            }
        }
    }

    extension FieldOperator {
        fileprivate init?(_ op: ProtoStructuredQuery.FieldFilter.Operator) {
            switch op {
            case .lessThan: self = .lessThan
            case .lessThanOrEqual: self = .lessThanOrEqual
            case .greaterThan: self = .greaterThan
            case .greaterThanOrEqual: self = .greaterThanOrEqual
            case .equal: self = .equal
            case .notEqual: self = .notEqual
            case .arrayContains: self = .arrayContains
            case .in: self = .in
            case .arrayContainsAny: self = .arrayContainsAny
            case .notIn: self = .notIn
            case .unspecified, .UNRECOGNIZED: return nil
            }
        }
    }

    extension UnaryOperator {
        fileprivate init?(_ op: ProtoStructuredQuery.UnaryFilter.Operator) {
            switch op {
            case .isNan: self = .isNaN
            case .isNull: self = .isNull
            case .isNotNan: self = .isNotNaN
            case .isNotNull: self = .isNotNull
            case .unspecified, .UNRECOGNIZED: return nil
            }
        }
    }

    extension FindNearest {
        fileprivate init(_ message: ProtoStructuredQuery.FindNearest, in database: DatabaseID) throws(RequestError) {
            guard case .vector(let vector) = try Value(message.queryVector, in: database) else {
                throw .invalid("Query Value must be of type vector.")
            }
            let measure: Measure
            switch message.distanceMeasure {
            case .euclidean: measure = .euclidean
            case .cosine: measure = .cosine
            case .dotProduct: measure = .dotProduct
            case .unspecified, .UNRECOGNIZED: throw .invalid("Unknown Distance Measure.")
            }
            let field = message.distanceResultField
            self.init(
                path: try FieldPath(message.vectorField), vector: vector, measure: measure,
                limit: Int(message.limit.value), distanceField: field.isEmpty ? nil : Text(field),
                threshold: message.hasDistanceThreshold ? message.distanceThreshold.value : nil)
        }
    }

    extension AggregationQuery {
        package init(
            _ message: ProtoStructuredAggregationQuery, under parent: DocumentPath?, in database: DatabaseID
        ) throws(RequestError) {
            var aggregations: [Aggregation] = []
            for aggregation in message.aggregations {
                let kind: Aggregation.Kind
                switch aggregation.operator {
                case .count(let count): kind = .count(upTo: count.hasUpTo ? count.upTo.value : nil)
                case .sum(let sum): kind = .sum(try FieldPath(sum.field))
                case .avg(let average): kind = .average(try FieldPath(average.field))
                case nil: throw .invalid("Operator field in Aggregation is not set.")
                }
                let alias = aggregation.alias
                aggregations.append(Aggregation(alias: alias.isEmpty ? nil : Text(alias), kind))
            }
            self.init(try Query(message.structuredQuery, under: parent, in: database), aggregations)
        }
    }
#endif
