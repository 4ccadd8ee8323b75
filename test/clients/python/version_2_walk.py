"""The package cloudflare 2.x walks through a Zoneward that the environment names."""

import os
import sys
import tempfile

import CloudFlare
from CloudFlare.exceptions import CloudFlareAPIError

account_id = os.environ["ZONEWARD_ACCOUNT"]
by_token = {"token": os.environ["ZONEWARD_TOKEN"]}
by_key = {"email": os.environ["ZONEWARD_EMAIL"], "key": os.environ["ZONEWARD_KEY"]}


def client_of(raw=False, **credentials):
    return CloudFlare.CloudFlare(base_url=os.environ["ZONEWARD_URL"], raw=raw, **credentials)


def assert_refused(code, call):
    try:
        call()
    except CloudFlareAPIError as error:
        assert int(error) == code, repr(error)
    else:
        raise AssertionError(f"not refused with {code}")


records = [
    {"type": "A", "content": "192.0.2.1"},
    {"type": "AAAA", "content": "2001:db8::1"},
    {"type": "CNAME", "content": "target.example"},
    {"type": "MX", "content": "mx.example", "priority": 10},
    {"type": "TXT", "content": "a text"},
    {"type": "SRV", "data": {"port": 5060, "priority": 1, "target": "sip.example", "weight": 2}},
    {"type": "CAA", "data": {"flags": 0, "tag": "issue", "value": "ca.example"}},
]


def walk(cf, credentials):
    zone = cf.zones.post(data={"name": "python2.example", "account": {"id": account_id}})
    zone_id = zone["id"]
    assert [item["id"] for item in cf.zones.get(params={"name": "python2.example"})] == [zone_id]
    assert cf.zones.patch(zone_id, data={"paused": True})["paused"] is True
    assert cf.zones.activation_check.put(zone_id) == {"id": zone_id}

    for record in records:
        name = record["type"].lower()
        made = cf.zones.dns_records.post(zone_id, data={"name": name, "ttl": 300, **record})
        assert made["name"] == f"{name}.python2.example"
        replaced = cf.zones.dns_records.put(zone_id, made["id"], data={"name": name, "ttl": 600, **record})
        assert replaced["ttl"] == 600
        assert cf.zones.dns_records.patch(zone_id, made["id"], data={"ttl": 900})["ttl"] == 900
        assert cf.zones.dns_records.get(zone_id, made["id"])["ttl"] == 900
    assert len(cf.zones.dns_records.get(zone_id)) == len(records)
    assert_refused(81044, lambda: cf.zones.dns_records.get(zone_id, "0" * 32))
    assert_refused(
        9005, lambda: cf.zones.dns_records.post(zone_id, data={"type": "A", "name": "a", "content": "a"})
    )

    # As the examples of the package walk pages.
    raw = client_of(raw=True, **credentials)
    listed, page = [], 0
    while True:
        page += 1
        answer = raw.zones.dns_records.get(zone_id, params={"per_page": 5, "page": page})
        listed += answer["result"]
        if page == answer["result_info"]["total_pages"]:
            break
    assert len({item["id"] for item in listed}) == len(records)

    exported = cf.zones.dns_records.export.get(zone_id)
    assert "srv.python2.example." in exported
    for item in listed:
        cf.zones.dns_records.delete(zone_id, item["id"])
    with tempfile.NamedTemporaryFile("w+") as file:
        file.write(exported)
        file.flush()
        with open(file.name, "rb") as upload:
            imported = cf.zones.dns_records.import_.post(zone_id, files={"file": upload})
    assert imported["recs_added"] == len(records)

    rules = [{"action": "block", "expression": "ip.src eq 192.0.2.1"}]
    phase = "http_request_firewall_custom"
    ruleset = cf.zones.rulesets.post(
        zone_id, data={"kind": "zone", "name": "Custom rules", "phase": phase, "rules": rules}
    )
    assert ruleset["id"] in [item["id"] for item in cf.zones.rulesets.get(zone_id)]
    changed = cf.zones.rulesets.put(zone_id, ruleset["id"], data={"rules": []})
    assert changed["version"] == "2"
    cf.zones.rulesets.delete(zone_id, ruleset["id"])

    target = {"target": "url", "constraint": {"operator": "matches", "value": "python2.example/*"}}
    rule = cf.zones.pagerules.post(zone_id, data={"targets": [target], "actions": [{"id": "always_use_https"}]})
    assert [item["id"] for item in cf.zones.pagerules.get(zone_id)] == [rule["id"]]
    assert cf.zones.pagerules.delete(zone_id, rule["id"]) == {"id": rule["id"]}

    assert cf.zones.settings.ssl.patch(zone_id, data={"value": "strict"})["value"] == "strict"
    assert "ssl" in [item["id"] for item in cf.zones.settings.get(zone_id)]
    order = {
        "type": "advanced",
        "hosts": ["python2.example"],
        "validation_method": "txt",
        "validity_days": 14,
        "certificate_authority": "lets_encrypt",
    }
    pack = cf.zones.ssl.certificate_packs.order.post(zone_id, data=order)
    assert pack["id"] in [item["id"] for item in cf.zones.ssl.certificate_packs.get(zone_id, params={"status": "all"})]
    cf.zones.ssl.certificate_packs.delete(zone_id, pack["id"])
    assert cf.zones.purge_cache.post(zone_id, data={"purge_everything": True}) == {"id": zone_id}
    assert cf.zones.delete(zone_id) == {"id": zone_id}
    assert_refused(1001, lambda: cf.zones.get(zone_id))


def walk_tokens(cf):
    group = next(item for item in cf.user.tokens.permission_groups.get() if item["name"] == "Zone Read")
    policies = [
        {
            "effect": "allow",
            "resources": {"com.cloudflare.api.account.zone.*": "*"},
            "permission_groups": [{"id": group["id"]}],
        }
    ]
    made = cf.user.tokens.post(data={"name": "ci", "policies": policies})
    assert client_of(token=made["value"]).user.tokens.verify()["status"] == "active"
    rolled = cf.user.tokens.value.put(made["id"], data={})
    own = client_of(token=rolled)
    assert own.zones.get() == []
    assert_refused(0, lambda: own.zones.post(data={"name": "no.example", "account": {"id": account_id}}))
    assert cf.user.tokens.delete(made["id"]) == {"id": made["id"]}
    assert_refused(9109, lambda: own.zones.get())


def main():
    for credentials in (by_token, by_key):
        walk(client_of(**credentials), credentials)
    walk_tokens(client_of(**by_token))
    print(f"walked with cloudflare {CloudFlare.__version__}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
