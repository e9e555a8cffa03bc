// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

/// The sum and count of one field's numbers. Integers are summed exactly, so that only the total can overflow.
struct NumberSum {
    private var integers: Int128 = 0
    private var doubles = 0.0
    private var hasDouble = false
    private var count = 0

    mutating func add(_ value: Value?) {
        switch value {
        case .integer(let number): add(KeyNumber.integer(number))
        case .double(let number): add(KeyNumber.double(number))
        default: return
        }
    }

    @inline(__always)
    mutating func add(_ number: KeyNumber?) {
        switch number {
        case .integer(let number): integers += Int128(number)
        case .double(let number):
            doubles += number
            hasDouble = true
        case nil: return
        }
        count += 1
    }

    private var total: Double { doubles + Double(integers) }

    var sum: Value {
        if !hasDouble, let exact = Int64(exactly: integers) { return .integer(exact) }
        return .double(total)
    }

    var average: Value { count == 0 ? .null : .double(total / Double(count)) }
}
