// SPDX-License-Identifier: Apache-2.0

/// Where a row is meant to get to. "Times as fast" is the rival's time over Hearth's; raw is Hearth's time over raw's.
struct Target {
    /// At least so many times as fast as the best SQLite form.
    var sqlite: Double?
    /// At most so many times raw's time.
    var raw: Double?

    static let byRow: [String: Target] = [
        "point read, one field": Target(sqlite: 2.5, raw: 1.5),
        "equality, order, limit 10": Target(sqlite: 1.6, raw: 1.3),
        "range, limit 20": Target(sqlite: 1.5, raw: 1.3),
        "three equalities, limit 20": Target(sqlite: 1.5),
        "array-contains count": Target(sqlite: 0.65, raw: 1.3),
        LoadSuite.loading: Target(sqlite: 2.5),
        LoadSuite.building: Target(sqlite: 1.3),
        "decode to a Codable struct": Target(sqlite: 1.5),
        "insert, one a commit": Target(raw: 1.11),
        "insert, 64 writers": Target(sqlite: 4),
        "insert, batches of 500": Target(sqlite: 1.5),
        "update one of ten, no sync": Target(sqlite: 2),
    ]
}
