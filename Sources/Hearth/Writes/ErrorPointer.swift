// SPDX-License-Identifier: Apache-2.0

public import Foundation

#if canImport(ObjectiveC)
    func callWithErrorPointer(_ body: (NSErrorPointer) -> Any?) -> (result: Any?, error: NSError?) {
        var error: NSError?
        let result = body(&error)
        return (result, error)
    }
#else
    /// Where the block of a transaction puts its error; what Foundation lacks on Linux.
    public final class ErrorPointer {
        /// The error; nil for none.
        public var pointee: NSError?
    }

    /// As on Apple's platforms: `errorPointer?.pointee = error`.
    public typealias NSErrorPointer = ErrorPointer?

    func callWithErrorPointer(_ body: (NSErrorPointer) -> Any?) -> (result: Any?, error: NSError?) {
        let pointer = ErrorPointer()
        let result = body(pointer)
        return (result, pointer.pointee)
    }
#endif
