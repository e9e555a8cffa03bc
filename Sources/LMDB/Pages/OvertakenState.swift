// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// Whether a state's meta page, which has just been read, may have been read half before and half after the next commit but one wrote
/// over it. Then the next commit is in the file, or was, and the one that wrote over it has replaced this state before.
///
/// - Parameter isInFile: whether the meta page of a state is in the file now.
@inline(__always)
func isOvertaken(_ state: Int, isInFile: (_ state: Int) -> Bool) -> Bool {
    // The meta page must be read before this, and again after the next one.
    atomicMemoryFence(ordering: .acquiring)
    let hasNext = isInFile(state + 1)
    atomicMemoryFence(ordering: .acquiring)
    return hasNext || !isInFile(state)
}
