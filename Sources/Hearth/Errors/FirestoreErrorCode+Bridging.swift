// SPDX-License-Identifier: Apache-2.0

public import Foundation

// Lets `as? FirestoreErrorCode` match every `NSError` of the domain, as for error enumerations that Swift imports from
// Objective-C.

#if canImport(ObjectiveC)
    extension FirestoreErrorCode: _ObjectiveCBridgeableError {
        /// Returns nil for an error of another domain.
        public init?(_bridgedNSError error: NSError) {
            guard error.domain == FirestoreErrorDomain else { return nil }
            self.init(_nsError: error)
        }
    }
#else
    extension FirestoreErrorCode: _ObjectiveCBridgeable {
        /// Returns the underlying error.
        public func _bridgeToObjectiveC() -> NSError {
            error
        }

        /// Converts an error in a cast that cannot fail.
        public static func _forceBridgeFromObjectiveC(_ source: NSError, result: inout FirestoreErrorCode?) {
            result = FirestoreErrorCode(_nsError: source)
        }

        /// Converts an error. Returns false for an error of another domain.
        public static func _conditionallyBridgeFromObjectiveC(
            _ source: NSError, result: inout FirestoreErrorCode?
        ) -> Bool {
            guard source.domain == FirestoreErrorDomain else { return false }
            result = FirestoreErrorCode(_nsError: source)
            return true
        }

        /// Converts a value that comes from Objective-C, which does not happen here.
        public static func _unconditionallyBridgeFromObjectiveC(_ source: NSError?) -> FirestoreErrorCode {
            source.map { FirestoreErrorCode(_nsError: $0) } ?? FirestoreErrorCode(.unknown)
        }
    }
#endif
