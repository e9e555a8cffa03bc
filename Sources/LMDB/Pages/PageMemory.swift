// SPDX-License-Identifier: Apache-2.0

/// What a reader keeps for descents: which pages it has compared with their separators in this state, and room for a path.
///
/// The comparisons cost more than the rest of a descent, and the same few pages are entered again and again.
@unsafe
struct PageMemory {
    private static let capacity = 512
    /// By the low bits of a page's number: from which node of which branch it was entered.
    private let checked: UnsafeMutablePointer<Int>
    /// For lookups; cursors have their own.
    let path: Tree.Path

    static func makePath() -> Tree.Path { .allocate(capacity: PageFormat.maximumDepth) }

    init() {
        unsafe checked = .allocate(capacity: PageMemory.capacity)
        unsafe checked.initialize(repeating: 0, count: PageMemory.capacity)
        unsafe path = PageMemory.makePath()
    }

    func free() {
        unsafe checked.deallocate()
        unsafe path.deallocate()
    }

    /// Forgets the pages, because another state is read.
    func forget() {
        unsafe checked.update(repeating: 0, count: PageMemory.capacity)
    }

    @inline(__always)
    func isChecked(_ page: Int, from place: BranchPlace) -> Bool {
        unsafe checked[page & (PageMemory.capacity - 1)] == PageMemory.entry(place)
    }

    @inline(__always)
    func noteChecked(_ page: Int, from place: BranchPlace) {
        unsafe checked[page & (PageMemory.capacity - 1)] = PageMemory.entry(place)
    }

    /// Not 0, because meta pages are no branches.
    @inline(__always)
    private static func entry(_ place: BranchPlace) -> Int { unsafe place.page.number << 16 | place.index }
}
