// SPDX-License-Identifier: Apache-2.0

/// Lists of entries that are joined by what their keys have after the lists' prefixes, the *rests*.
///
/// A list has the entries of a store whose keys begin with its prefix, in ascending order, or in descending order if it is read
/// backwards. All lists have their rests in the same order, where those of a list that is read backwards count as complemented.
/// No rest is the beginning of another, but those of keys that are cut off; see ``init(_:shorterThan:)``.
@safe
package final class EntryJoin {
    /// One of the lists.
    package struct List {
        let cursor: CursorID
        let prefix: [UInt8]
        let bound: [UInt8]
        let backwards: Bool

        /// - Parameter bound: forwards the end of the list, or empty for none; backwards its first key.
        package init(_ cursor: CursorID, prefix: [UInt8], bound: [UInt8], backwards: Bool) {
            self.cursor = cursor
            self.prefix = prefix
            self.bound = bound
            self.backwards = backwards
        }
    }

    /// What has become of the cursors.
    package enum Outcome {
        /// They are at entries with the same rest.
        case met
        /// A list has no further entries, so that there is nothing more to find. The cursors must not be used any more.
        case ended
        /// A list goes on with an entry that cannot be read in its page. No cursor has passed the next common rest, and some may be
        /// unplaced.
        case stopped
        /// They cannot be moved here and were not: LMDB reads the pages, or a cursor is at no entry or at a long key.
        case unable
    }

    /// How often a refused target begins again with the first list before the last one is asked, too, so that a list with few
    /// entries need not wait until long ones agree.
    static let mostRestarts = 8

    /// Those that refuse most targets come first.
    let lists: UnsafeMutablePointer<JoinedList>
    let count: Int
    /// Keys of this length or more are left to the caller.
    let length: Int
    /// Room for the key that is sought in a tree.
    let sought: UnsafeMutablePointer<UInt8>
    /// The prefixes and bounds of all lists.
    private let bytes: UnsafeMutablePointer<UInt8>
    /// How often a list was moved.
    package internal(set) var moves = 0

    /// - Parameter length: of keys that may be cut off, and of longer ones. Bounds are shorter.
    package init(_ members: [List], shorterThan length: Int) {
        count = members.count
        self.length = length
        unsafe lists = .allocate(capacity: members.count)
        unsafe sought = .allocate(capacity: length)
        unsafe bytes = .allocate(capacity: members.reduce(0) { $0 + $1.prefix.count + $1.bound.count })
        var start = unsafe bytes
        for (index, member) in members.enumerated() {
            unsafe (lists + index).initialize(to: JoinedList(member, start))
            unsafe start += member.prefix.count + member.bound.count
        }
    }

    deinit {
        unsafe lists.deallocate()
        unsafe sought.deallocate()
        unsafe bytes.deallocate()
    }

    /// Records that a list has refused the target, and moves it before a list that refuses a smaller share.
    ///
    /// - Returns: the list's position.
    @inline(__always)
    func promoted(_ position: Int) -> Int {
        let list = unsafe lists + position
        unsafe list.pointee.refusals += 1
        if unsafe list.pointee.targets > 1_024 {
            unsafe list.pointee.targets /= 2
            unsafe list.pointee.refusals /= 2
        }
        guard position > 0 else { return 0 }
        let (own, other) = unsafe (list.pointee.refusals, list[-1].refusals)
        // At the beginning the shares say little.
        guard unsafe own * (list[-1].targets + 8) > (other + 8) * list.pointee.targets else { return position }
        unsafe swap(&list.pointee, &list[-1])
        return position - 1
    }
}
