# SPDX-License-Identifier: Apache-2.0
"""A test of a program that uses Cloud Firestore: `hearth exec --check -- python3 Examples/python/test_cities.py`."""

import unittest

from google.cloud import firestore
from google.cloud.firestore_v1.base_query import FieldFilter


class CitiesTest(unittest.TestCase):
    def test_cities_of_a_state(self):
        db = firestore.Client()
        db.document("cities/SF").set({"state": "CA", "population": 860_000})
        query = db.collection("cities").where(filter=FieldFilter("state", "==", "CA")).order_by("population")
        self.assertEqual([city.id for city in query.stream()], ["SF"])


if __name__ == "__main__":
    unittest.main()
