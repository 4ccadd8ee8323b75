def test_creates_a_zone(zoneward):
    zoneward.api("POST", "/zones", {"name": "example.com"})
    assert [zone["name"] for zone in zoneward.api("GET", "/zones")] == ["example.com"]


def test_begins_with_nothing(zoneward):
    assert zoneward.api("GET", "/zones") == []
