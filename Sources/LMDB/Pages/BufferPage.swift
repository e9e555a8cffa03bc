// SPDX-License-Identifier: Apache-2.0
internal import CLMDB

/// A branch or leaf page in a buffer, which can be changed into one of a copy.
///
/// It is changed only once its nodes are known to be in place.
@unsafe
struct BufferPage {
    let page: TreePage
    private let bytes: UnsafeMutableRawPointer

    /// As of ``TreePage``.
    init?(at bytes: UnsafeMutableRawPointer, size: Int, _ kind: PageFormat.Kind) {
        guard let page = unsafe TreePage(at: bytes, size: size, kind) else { return nil }
        unsafe self.page = unsafe page
        unsafe self.bytes = unsafe bytes
    }

    /// Removes what deleted entries left between the offsets and the nodes.
    func clearUnusedBytes() {
        let lower = unsafe page.base.short(at: PageFormat.Header.lower)
        let count = unsafe page.base.short(at: PageFormat.Header.upper) - lower
        unsafe (bytes + lower).initializeMemory(as: UInt8.self, repeating: 0, count: count)
    }

    /// The page below a node of a branch.
    func setChild(_ index: Int, _ child: Int) {
        let node = unsafe bytes + page.offset(index)
        unsafe node.storeBytes(
            of: UInt32(truncatingIfNeeded: child), toByteOffset: PageFormat.Node.low, as: UInt32.self)
        unsafe node.storeBytes(
            of: UInt16(truncatingIfNeeded: child >> 32), toByteOffset: PageFormat.Node.highest, as: UInt16.self)
    }

    /// The first page of a value.
    func setOverflow(_ index: Int, _ first: Int) { unsafe setNumber(index, first, at: 0) }

    /// The root of a named store.
    func setRoot(_ index: Int, _ root: Int) { unsafe setNumber(index, root, at: PageFormat.Record.root) }

    private func setNumber(_ index: Int, _ number: Int, at offset: Int) {
        guard let key = unsafe page.key(index) else { return }
        let value = unsafe page.offset(index) + PageFormat.Node.headerSize + key.mv_size
        unsafe bytes.storeBytes(of: number, toByteOffset: value + offset, as: Int.self)
    }
}
