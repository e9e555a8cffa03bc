// SPDX-License-Identifier: Apache-2.0

/// Elements in the order in which they were added, each once. Adding, removing and taking the first take the same time
/// however many wait.
struct WaitingList<Element: Hashable> {
    private var elements: [Int: Element] = [:]
    private var places: [Element: Int] = [:]
    /// No element has a place before this one.
    private var start = 0
    private var end = 0

    var isEmpty: Bool { elements.isEmpty }

    var inOrder: [Element] { elements.keys.sorted().map { elements[$0]! } }

    /// Adds the element at the end unless it waits already.
    mutating func append(_ element: Element) {
        guard places[element] == nil else { return }
        places[element] = end
        elements[end] = element
        end += 1
    }

    mutating func remove(_ element: Element) {
        guard let place = places.removeValue(forKey: element) else { return }
        elements[place] = nil
    }

    mutating func takeFirst() -> Element? {
        guard !isEmpty else { return nil }
        while true {
            defer { start += 1 }
            guard let element = elements.removeValue(forKey: start) else { continue }
            places[element] = nil
            return element
        }
    }
}
