// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import DocumentModel
    internal import FirestoreProtocol
    internal import JSONText
    internal import NIOCore
    internal import QueryPlanner

    extension HTTPRequest {
        /// The body as an object with known members. An empty body is an empty object, and its content type does not matter: web
        /// pages send JSON as text.
        func object(keys: [String]) throws(RequestError) -> RequestObject {
            do throws(InvalidQueryError) {
                return try RequestObject(try json(), place: "", keys: keys)
            } catch {
                throw RequestError(error)
            }
        }

        private func json() throws(InvalidQueryError) -> JSONNode {
            guard body.readableBytes > 0 else { return JSONNode(.object([])) }
            do throws(JSONSyntaxError) {
                let bytes = Array(body.readableBytesView)
                return try JSONParser.parse(bytes.span)
            } catch {
                throw InvalidQueryError("Invalid JSON payload received. \(error.message)")
            }
        }
    }

    extension RequestObject {
        /// The state that a request with these members reads.
        func consistency() throws(RequestError) -> Consistency {
            try requireOneSet(of: ["transaction", "newTransaction", "readTime"], oneof: "consistency_selector")
            if let id = try text("transaction") {
                guard let bytes = Base64.decode(id) else { throw .invalid("Invalid transaction.") }
                return .transaction(bytes)
            }
            if let time = try text("readTime") { return .readTime(try Timestamp(readTime: time)) }
            if let options = try member("newTransaction", keys: ["readOnly", "readWrite"]) {
                return .newTransaction(try TransactionMode(options))
            }
            return .latest
        }

        func requireOneSet(of keys: [String], oneof name: String) throws(RequestError) {
            do throws(InvalidQueryError) { try requireOne(of: keys, oneof: name) } catch { throw RequestError(error) }
        }

        func text(_ key: String) throws(RequestError) -> String? {
            do throws(InvalidQueryError) { return try string(key) } catch { throw RequestError(error) }
        }

        func number(_ key: String) throws(RequestError) -> Int? {
            do throws(InvalidQueryError) {
                return try integer(key, type: "TYPE_INT64", in: .min ... .max).map { Int($0) }
            } catch {
                throw RequestError(error)
            }
        }

        func list(_ key: String) throws(RequestError) -> [JSONNode] {
            do throws(InvalidQueryError) { return try elements(key) } catch { throw RequestError(error) }
        }

        func member(_ key: String, keys: [String]) throws(RequestError) -> RequestObject? {
            do throws(InvalidQueryError) { return try object(key, keys: keys) } catch { throw RequestError(error) }
        }

        /// Refuses a body that names something else than the URL, which may be a mistake: the caller meant one of both.
        func check(_ key: String, is name: String) throws(RequestError) {
            guard let text = try text(key), !text.isEmpty, !text.hasSameBytes(as: name) else { return }
            throw .invalid(
                "The \"\(key)\" of the body is \"\(text)\", that of the URL \"\(name)\". Leave out the former.")
        }

        /// The paths of a document mask; nil without one.
        func mask() throws(RequestError) -> [FieldPath]? {
            guard let mask = try member("mask", keys: ["fieldPaths"]) else { return nil }
            return try [FieldPath](maskPaths: try mask.list("fieldPaths").map { $0.string ?? "" })
        }
    }

    extension TransactionMode {
        init(_ options: RequestObject) throws(RequestError) {
            try options.requireOneSet(of: ["readOnly", "readWrite"], oneof: "mode")
            if let readWrite = try options.member("readWrite", keys: ["retryTransaction", "concurrencyMode"]) {
                guard let former = Base64.decode(try readWrite.text("retryTransaction") ?? "") else {
                    throw TransactionTable.unknown
                }
                self = .readWrite(retrying: former.isEmpty ? nil : former)
                return
            }
            let readOnly = try options.member("readOnly", keys: ["readTime"])
            let time = try readOnly?.text("readTime")
            self = .readOnly(at: time == nil ? nil : try Timestamp(readTime: time!))
        }
    }

    extension Timestamp {
        /// A time at which to read, which has microseconds at most.
        init(readTime text: String) throws(RequestError) {
            try self.init(resumeTime: text)
            let fraction = text.split(separator: ".").dropFirst().first?.prefix { $0.isNumber } ?? ""
            guard fraction.dropFirst(6).allSatisfy({ $0 == "0" }) else {
                throw .invalid("timestamp cannot have more than microseconds precision")
            }
        }

        /// A time that a listener has seen. A bundle's may be finer than microseconds, and is cut.
        init(resumeTime text: String) throws(RequestError) {
            guard let time = Timestamp(rfc3339: text) else {
                throw .invalid(
                    "Invalid value at 'read_time' (type.googleapis.com/google.protobuf.Timestamp), Field 'readTime', Illegal "
                        + "timestamp format; timestamps must end with 'Z' or have a valid timezone offset.")
            }
            self = time
        }
    }
#endif
