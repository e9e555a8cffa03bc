// SPDX-License-Identifier: Apache-2.0

import JSONText
import Testing

@Suite struct WriterTests {
    @Test func writesCompactly() {
        var writer = JSONWriter()
        writeSample(&writer)
        #expect(
            writer.string
                == #"{"name":"cities/SF","empty":{},"list":[1,2.5,true,null,[],{"k":"v"}],"raw":{"a":1},"last":-1}"#)
    }

    @Test func writesIndented() {
        var writer = JSONWriter(.indented)
        writeSample(&writer)
        #expect(
            writer.string == """
                {
                  "name": "cities/SF",
                  "empty": {},
                  "list": [
                    1,
                    2.5,
                    true,
                    null,
                    [],
                    {
                      "k": "v"
                    }
                  ],
                  "raw": {"a":1},
                  "last": -1
                }
                """)
    }

    @Test func writesLines() {
        var writer = JSONWriter()
        for line in 1...2 {
            writer.beginArray()
            writer.integer(Int64(line))
            writer.endArray()
            writer.newline()
        }
        #expect(writer.string == "[1]\n[2]\n")
        writer.removeAll()
        writer.boolean(false)
        #expect(writer.string == "false")
    }

    @Test(arguments: [
        ("", #""""#), ("plain é 😀", #""plain é 😀""#), ("\"", #""\"""#), ("a\\b", #""a\\b""#),
        ("\u{8}\u{C}\n\r\t", #""\b\f\n\r\t""#), ("\u{0}\u{1F}\u{7F}", "\"\\u0000\\u001f\u{7F}\""),
        ("é\"é", #""é\"é""#), ("long enough to need storage\nand more", #""long enough to need storage\nand more""#),
    ])
    func escapes(_ text: String, _ json: String) {
        var writer = JSONWriter()
        writer.string(text)
        #expect(writer.string == json)
    }

    @Test(arguments: [
        (0.1, "0.1"), (1, "1.0"), (-0.0, "-0.0"), (1e300, "1e+300"), (.leastNonzeroMagnitude, "5e-324"),
        (.nan, "\"NaN\""), (.infinity, "\"Infinity\""), (-.infinity, "\"-Infinity\""),
    ])
    func doubles(_ value: Double, _ json: String) throws {
        var writer = JSONWriter()
        writer.double(value)
        #expect(writer.string == json)
        if value.isFinite {
            #expect(try JSONParser.parse(json).number?.double.bitPattern == value.bitPattern)
        }
    }

    @Test func makesNodes() {
        let node = JSONNode.object(["a": .array([.integer(1), .string("x")]), "b": .boolean(true)])
        #expect(node.text() == #"{"a":[1,"x"],"b":true}"#)
    }

    private func writeSample(_ writer: inout JSONWriter) {
        writer.beginObject()
        writer.key("name")
        writer.string("cities/SF")
        writer.key("empty")
        writer.beginObject()
        writer.endObject()
        writer.key("list")
        writer.beginArray()
        writer.integer(1)
        writer.double(2.5)
        writer.boolean(true)
        writer.null()
        writer.beginArray()
        writer.endArray()
        writer.beginObject()
        writer.key("k")
        writer.string("v")
        writer.endObject()
        writer.endArray()
        writer.key("raw")
        writer.raw(#"{"a":1}"#)
        writer.key("last")
        writer.integer(-1)
        writer.endObject()
    }
}
