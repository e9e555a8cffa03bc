// SPDX-License-Identifier: Apache-2.0

public import Foundation

#if canImport(ObjectiveC)
    func callWithErrorPointer(_ body: (NSErrorPointer) -> Any?) -> (result: Any?, error: NSError?) {
        var error: NSError?
        let result = body(&error)
        return (result, error)
    }
#else
    /// Holds the error of a transaction's block. Foundation on Linux lacks this type.
    public final class ErrorPointer {
        /// The error; nil if there is none.
        public var pointee: NSError?
    }

    /// The type of an error pointer, used as on Apple's platforms: `errorPointer?.pointee = error`.
    public typealias NSErrorPointer = ErrorPointer?

    func callWithErrorPointer(_ body: (NSErrorPointer) -> Any?) -> (result: Any?, error: NSError?) {
        let pointer = ErrorPointer()
        let result = body(pointer)
        return (result, pointer.pointee)
    }
#endif
