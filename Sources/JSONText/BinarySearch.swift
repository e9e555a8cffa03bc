// SPDX-License-Identifier: Apache-2.0

extension Range<Int> {
    /// The first index for which `predicate` holds; `upperBound` if there is none. Binary search.
    ///
    /// It is here because this is the lowest target that its users share. Searches that compare three ways or read raw pages
    /// (`StoredDirectory`, LMDB's `TreePage`) have their own.
    ///
    /// - Precondition: if `predicate` holds for an index, it holds for all higher ones.
    @inlinable
    package func partitioningIndex(where predicate: (Int) -> Bool) -> Int {
        var (low, high) = (lowerBound, upperBound)
        while low < high {
            let middle = (low + high) / 2
            if predicate(middle) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
