// SPDX-License-Identifier: Apache-2.0

/// Which pages of the file lie in memory, so that touching them does not wait for the disk.
///
/// The system may take any page away. What was asked for within this second it takes last, so that it is not asked for again:
/// a question is a system call.
final class ResidentPages {
    private static let capacity = 1 << 13
    /// Seconds have as many bits: one that looks like an earlier second comes after half a year.
    private static let secondBits = 24

    private let file: PageFile
    /// The page that was last found in memory, and the second, by the low bits of the page's number.
    private var known = [Int](repeating: 0, count: capacity)
    private var second = 0

    init(_ file: PageFile) {
        self.file = file
    }

    /// Call it before a lookup.
    func forgetOld() {
        // Not 0, which stands for no page.
        second = System.coarseSeconds % (1 << ResidentPages.secondBits - 1) + 1
    }

    func contains(_ page: Int) -> Bool {
        let place = page & (ResidentPages.capacity - 1)
        let entry = page << ResidentPages.secondBits | second
        if known[place] == entry { return true }
        guard file.isInMemory(page) else { return false }
        known[place] = entry
        return true
    }
}

/// A value on more pages is taken for one that is not in memory, because each page would have to be asked for.
private let mostPages = 8

extension PageMap {
    /// Whether reading a page touches memory only. True of one that does not exist, because it is not touched: its number is damage,
    /// which the lookup finds at once.
    func isInMemory(_ page: Int, _ resident: ResidentPages) -> Bool {
        unsafe address(of: page) == nil || resident.contains(page)
    }
}

extension Tree {
    /// Whether looking up a key touches pages in memory only. True where the tree is damaged, so that the lookup says so.
    func isInMemory(_ key: SoughtKey, _ resident: ResidentPages) -> Bool {
        guard unsafe depth > 0 else { return true }
        var number = unsafe root
        for _ in unsafe 1..<depth {
            guard unsafe pages.isInMemory(number, resident) else { return false }
            guard let page = unsafe pages.page(number, .branch), let index = unsafe page.lastIndex(notAbove: key),
                let child = unsafe page.child(index)
            else { return true }
            number = child
        }
        guard unsafe pages.isInMemory(number, resident) else { return false }
        guard let leaf = unsafe pages.page(number, .leaf), let index = unsafe leaf.lastIndex(notAbove: key),
            case .overflow(let first, let byteCount)? = unsafe leaf.unusual(index)
        else { return true }
        let count = unsafe (PageFormat.Header.size + byteCount - 1) / pages.pageSize + 1
        guard count <= mostPages else { return false }
        // The number of the first page may be any.
        for page in 0..<count {
            guard unsafe pages.isInMemory(first &+ page, resident) else { return false }
        }
        return true
    }
}
