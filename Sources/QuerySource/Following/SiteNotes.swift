// SPDX-License-Identifier: Apache-2.0

/// The queries that were met, by their places.
struct SiteNotes {
    private struct Note {
        var shapes: [(shape: QueryShape, function: Int)] = []
        var isCut = false
    }

    /// By the expression that runs them.
    private var runs: [Int: Note] = [:]
    /// Queries that were made and not run, by the expression that makes them.
    private var unused: [Int: Note] = [:]
    /// Queries that functions give, by the function.
    private var given: [Int: Note] = [:]
    /// The last steps of queries that ran, or to which others were added.
    private var used: Set<Int> = []
    /// The same, where another function than the one that made the query used it.
    private var usedOutside: Set<Int> = []
    /// Filters that are written by themselves, by the function or the statement that makes them.
    private var filters: [Int: Set<Int>] = [:]
    private var filterPlaces: Set<Int> = []
    /// Filters that are a part of a query, or of a filter.
    private var taken: Set<Int> = []
    /// Where following ended early.
    private var end: Int?

    /// Notes that nothing is followed from here.
    mutating func noteEnd(at offset: Int) { end = end ?? offset }

    /// Notes that a query runs. A collection alone is a query, too.
    mutating func noteRun(_ shape: QueryShape, _ function: Int, _ offset: Int, _ isCut: Bool) {
        noteUse(shape, function, isRun: true)
        if case .unknown = shape.source, !shape.isConstrained { return }
        runs[offset, default: Note()].shapes.append((shape, function))
        if isCut { runs[offset]?.isCut = true }
    }

    /// Notes a query that may run elsewhere.
    ///
    /// - Parameter place: the offset of the expression.
    mutating func noteUnused(_ value: Known, _ function: Int, at place: Int) {
        switch value {
        case .query(let shape):
            if shape.isConstrained, !shape.isTentative {
                unused[place, default: Note()].shapes.append((shape, function))
            }
        case .list(let elements, _): for element in elements { noteUnused(element, function, at: place) }
        case .fields(let members): for member in members { noteUnused(member.value, function, at: place) }
        default: break
        }
    }

    /// Notes what a function gives to callers that are not known.
    mutating func noteGiven(_ value: Known, by function: Int) {
        guard case .query(let shape) = value, shape.isConstrained, !shape.isTentative else { return }
        given[function, default: Note()].shapes.append((shape, function))
    }

    /// Notes that something is added to a query by another expression.
    mutating func noteExtended(_ shape: QueryShape, _ function: Int, _ offset: Int) {
        noteUse(shape, function, except: offset)
    }

    mutating func noteFilter(_ offset: Int, in owner: Int) {
        filters[owner, default: []].insert(offset)
        filterPlaces.insert(offset)
    }

    /// Whether one of the filters that are written by themselves was made at one of these places.
    func hasFilter(at places: [Int]) -> Bool {
        places.contains(where: filterPlaces.contains)
    }

    mutating func noteTaken(_ given: GivenArguments) {
        for value in given.all { taken.formUnion(value.value.partPlaces) }
    }

    private mutating func noteUse(
        _ shape: QueryShape, _ function: Int, isRun: Bool = false, except offset: Int? = nil
    ) {
        // With what a function of another file gives, the query is used that it gets.
        let isWhole = shape.problem != nil && (isRun || !shape.isTentative)
        for step in isWhole ? shape.steps[...] : shape.steps.suffix(1) where step.offset != offset {
            used.insert(step.offset)
            if step.function != function { usedOutside.insert(step.offset) }
        }
    }

    /// Where a query is made: its first part in the function that runs it.
    private static func place(_ shape: QueryShape, _ function: Int) -> Int? {
        (shape.steps.first { $0.function == function } ?? shape.steps.first)?.offset
    }

    // MARK: Sites

    func sites(_ hints: SourceHints) -> [SourceSite] {
        var places: [Int: Note] = [:]
        func add(_ note: Note, at place: Int) {
            places[place, default: Note()].shapes += note.shapes
            if note.isCut { places[place]?.isCut = true }
        }
        // All that one expression may run is one site.
        func add(_ notes: [Int: Note], unless used: Set<Int>) {
            for (offset, note) in notes {
                var note = note
                note.shapes = note.shapes.filter { $0.shape.steps.last.map { !used.contains($0.offset) } ?? true }
                guard !note.shapes.isEmpty else { continue }
                add(note, at: note.shapes.compactMap { SiteNotes.place($0.shape, $0.function) }.min() ?? offset)
            }
        }
        add(runs, unless: [])
        add(unused, unless: used)
        add(given, unless: usedOutside)
        for offsets in filters.values {
            guard let first = offsets.subtracting(taken).min() else { continue }
            add(Note(shapes: [(QueryShape(.unknown(Unknown(what: SiteNotes.elsewhere))), -1)]), at: first)
        }
        if let end { add(Note(), at: end) }
        return places.sorted { $0.key < $1.key }.map { offset, note in site(offset, note, hints) }
    }

    private static let elsewhere = "not known: no query was found that takes these filters"

    private func site(_ offset: Int, _ note: Note, _ hints: SourceHints) -> SourceSite {
        var queries: [SourceQuery] = []
        var unresolved: [String] = []
        var openGroups: Set<String>? = []
        let hasResolved = note.shapes.contains { $0.shape.unresolved == nil }
        var keys: Set<String> = []
        for (shape, _) in note.shapes where keys.insert(shape.key + (shape.problem ?? "")).inserted {
            guard let reason = shape.unresolved else {
                queries.append(shape.query)
                continue
            }
            // Every call of a function that only this file calls was followed.
            if hasResolved, case .unknown(let unknown) = shape.source, unknown.isLocalParameter { continue }
            if !unresolved.contains(reason) { unresolved.append(reason) }
            openGroups = shape.source.collectionGroup.flatMap { openGroups?.union([$0]) }
        }
        if note.isCut || end != nil { openGroups = nil }
        if note.isCut {
            unresolved.append("it can be built in more than \(Alternatives.maximum) ways, of which some are checked")
        }
        if end != nil { unresolved.append("the file is so complex that not all of it was followed") }
        return SourceSite(
            offset: offset, queries: queries, unresolved: unresolved, openGroups: openGroups,
            isSilenced: hints.isSilenced(at: offset))
    }
}

extension QueryShape {
    /// Why it is not known; nil if it is.
    var unresolved: String? {
        if case .unknown(let unknown) = source { return "its collection is \(unknown.what)" }
        return problem
    }
}
