// SPDX-License-Identifier: Apache-2.0

/// The trees of a state's stores, each noted when it is first asked for.
@unsafe
struct TreeTable {
    private static let capacity = 32
    /// By the stores' handles.
    private let trees: UnsafeMutablePointer<Tree?>

    init() {
        unsafe trees = .allocate(capacity: TreeTable.capacity)
        unsafe trees.initialize(repeating: nil, count: TreeTable.capacity)
    }

    func free() {
        unsafe trees.deallocate()
    }

    /// Forgets the trees, because another state is read.
    func forget() {
        unsafe trees.update(repeating: nil, count: TreeTable.capacity)
    }

    @inline(__always)
    func tree(of store: Store) -> Tree? {
        unsafe store.dbi < TreeTable.capacity ? trees[Int(store.dbi)] : nil
    }

    func note(_ tree: Tree, of store: Store) {
        if unsafe store.dbi < TreeTable.capacity { unsafe trees[Int(store.dbi)] = unsafe tree }
    }
}
