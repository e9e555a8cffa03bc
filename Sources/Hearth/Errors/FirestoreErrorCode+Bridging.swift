// SPDX-License-Identifier: Apache-2.0

public import Foundation

// What lets `as? FirestoreErrorCode` find every `NSError` of the domain, as it does for error enumerations that Swift imports
// from Objective-C.

#if canImport(ObjectiveC)
    extension FirestoreErrorCode: _ObjectiveCBridgeableError {
        /// Nil for an error of another domain.
        public init?(_bridgedNSError error: NSError) {
            guard error.domain == FirestoreErrorDomain else { return nil }
            self.init(_nsError: error)
        }
    }
#else
    extension FirestoreErrorCode: _ObjectiveCBridgeable {
        /// The error that this was made of.
        public func _bridgeToObjectiveC() -> NSError {
            error
        }

        /// For casts that cannot fail.
        public static func _forceBridgeFromObjectiveC(_ source: NSError, result: inout FirestoreErrorCode?) {
            result = FirestoreErrorCode(_nsError: source)
        }

        /// Fails for an error of another domain.
        public static func _conditionallyBridgeFromObjectiveC(
            _ source: NSError, result: inout FirestoreErrorCode?
        ) -> Bool {
            guard source.domain == FirestoreErrorDomain else { return false }
            result = FirestoreErrorCode(_nsError: source)
            return true
        }

        /// For values that come from Objective-C, which there are none of here.
        public static func _unconditionallyBridgeFromObjectiveC(_ source: NSError?) -> FirestoreErrorCode {
            source.map { FirestoreErrorCode(_nsError: $0) } ?? FirestoreErrorCode(.unknown)
        }
    }
#endif
