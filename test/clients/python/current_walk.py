"""The package cloudflare of today walks through a Zoneward that the environment names."""

import os
import sys
from contextlib import contextmanager

import cloudflare
from cloudflare import Cloudflare

base_url = os.environ["ZONEWARD_URL"]
account_id = os.environ["ZONEWARD_ACCOUNT"]
owner = {"api_email": os.environ["ZONEWARD_EMAIL"], "api_key": os.environ["ZONEWARD_KEY"]}
unknown_id = "0" * 32

# Each walk ends with the store as it was.
walks = []


def walk(function):
    walks.append(function)
    return function


def client_of(**credentials):
    return Cloudflare(base_url=base_url, max_retries=0, **credentials)


@contextmanager
def refused(kind, status, code):
    try:
        yield
    except cloudflare.APIStatusError as error:
        assert type(error) is kind, error
        assert error.status_code == status, error
        assert error.errors[0].code == code, error
    else:
        raise AssertionError(f"not refused with {code}")


@contextmanager
def new_zone(client, name="python.example"):
    zone = client.zones.create(name=name, account={"id": account_id}, type="full")
    yield zone
    assert client.zones.delete(zone_id=zone.id).id == zone.id


records = [
    {"type": "A", "content": "192.0.2.1", "proxied": True},
    {"type": "AAAA", "content": "2001:db8::1", "comment": "six", "tags": ["team:dns"]},
    {"type": "CAA", "data": {"flags": 0, "tag": "issue", "value": "ca.example"}},
    {"type": "CERT", "data": {"algorithm": 8, "certificate": "Y2VydA==", "key_tag": 1, "type": 9}},
    {"type": "CNAME", "content": "target.example"},
    {"type": "DNSKEY", "data": {"algorithm": 5, "flags": 1, "protocol": 3, "public_key": "a2V5"}},
    {"type": "DS", "data": {"algorithm": 8, "digest": "ab" * 32, "digest_type": 2, "key_tag": 1}},
    {"type": "HTTPS", "data": {"priority": 1, "target": ".", "value": 'alpn="h2"'}},
    {
        "type": "LOC",
        "data": {
            "altitude": 0,
            "lat_degrees": 37,
            "lat_direction": "N",
            "lat_minutes": 46,
            "lat_seconds": 46,
            "long_degrees": 122,
            "long_direction": "W",
            "long_minutes": 23,
            "long_seconds": 35,
            "precision_horz": 0,
            "precision_vert": 0,
            "size": 100,
        },
    },
    {"type": "MX", "content": "mx.example", "priority": 10},
    {
        "type": "NAPTR",
        "data": {
            "flags": "S",
            "order": 100,
            "preference": 10,
            "regex": "",
            "replacement": "a.example",
            "service": "SIP+D2U",
        },
    },
    {"type": "NS", "content": "ns.example"},
    {"type": "OPENPGPKEY", "content": "a2V5"},
    {"type": "PTR", "content": "host.example"},
    {
        "type": "SMIMEA",
        "data": {"certificate": "ab" * 32, "matching_type": 1, "selector": 1, "usage": 3},
    },
    {"type": "SRV", "data": {"port": 5060, "priority": 1, "target": "sip.example", "weight": 2}},
    {"type": "SSHFP", "data": {"algorithm": 4, "fingerprint": "ab" * 32, "type": 2}},
    {"type": "SVCB", "data": {"priority": 1, "target": ".", "value": 'alpn="h2"'}},
    {
        "type": "TLSA",
        "data": {"certificate": "ab" * 32, "matching_type": 1, "selector": 1, "usage": 3},
    },
    {"type": "TXT", "content": '"a text"'},
    {"type": "URI", "data": {"target": "https://example.net/", "weight": 2}, "priority": 1},
]


@walk
def zones(client):
    with new_zone(client) as zone:
        assert (zone.name, zone.status, zone.paused) == ("python.example", "pending", False)
        assert zone.created_on.tzinfo is not None
        assert client.zones.get(zone_id=zone.id) == zone
        assert client.zones.edit(zone_id=zone.id, paused=True).paused is True
        assert client.zones.activation_check.trigger(zone_id=zone.id).id == zone.id
        assert client.zones.get(zone_id=zone.id).status == "active"
        found = client.zones.list(name="python.example", account={"id": account_id}, status="active")
        assert [item.id for item in found] == [zone.id]
    assert list(client.zones.list()) == []


@walk
def pages(client):
    names = [f"zone{number:02}.example" for number in range(23)]
    zones_made = [client.zones.create(name=name, account={"id": account_id}) for name in names]
    assert [zone.name for zone in client.zones.list(per_page=5)] == names
    first = zones_made[0]
    posts = [{"type": "TXT", "name": name, "content": "text", "ttl": 1} for name in names]
    client.dns.records.batch(zone_id=first.id, posts=posts)
    listed = client.dns.records.list(zone_id=first.id, per_page=5, order="name")
    assert len({record.id for record in listed}) == len(names)
    for zone in zones_made:
        client.zones.delete(zone_id=zone.id)


@walk
def dns_records(client):
    with new_zone(client) as zone:
        for sent in records:
            name = f"{sent['type'].lower()}.python.example"
            made = client.dns.records.create(zone_id=zone.id, name=name, ttl=1, **sent)
            assert (made.type, made.name, made.ttl) == (sent["type"], name, 1)
            assert client.dns.records.get(made.id, zone_id=zone.id) == made
            replaced = client.dns.records.update(
                made.id, zone_id=zone.id, name=name, **{**sent, "ttl": 300, "proxied": False}
            )
            assert (replaced.id, replaced.ttl) == (made.id, 300)
            edited = client.dns.records.edit(
                made.id, zone_id=zone.id, name=name, type=sent["type"], ttl=600, comment="edited"
            )
            assert (edited.ttl, edited.comment) == (600, "edited")
            assert client.dns.records.delete(made.id, zone_id=zone.id).id == made.id
        assert list(client.dns.records.list(zone_id=zone.id)) == []


@walk
def batch_and_zone_files(client):
    with new_zone(client) as zone:
        make = lambda name: client.dns.records.create(
            zone_id=zone.id, type="A", name=name, content="192.0.2.1", ttl=1
        )
        gone, patched, put = make("gone"), make("patched"), make("put")
        answer = client.dns.records.batch(
            zone_id=zone.id,
            deletes=[{"id": gone.id}],
            patches=[{"id": patched.id, "ttl": 300}],
            puts=[{"id": put.id, "type": "A", "name": "put", "content": "192.0.2.9", "ttl": 1}],
            posts=[{"type": "TXT", "name": "posted", "content": "text", "ttl": 1}],
        )
        assert [record.id for record in answer.deletes] == [gone.id]
        assert [record.ttl for record in answer.patches] == [300]
        assert [record.content for record in answer.puts] == ["192.0.2.9"]
        assert [record.name for record in answer.posts] == ["posted.python.example"]

        exported = client.dns.records.export(zone_id=zone.id)
        assert "posted.python.example." in exported
        for record in list(client.dns.records.list(zone_id=zone.id)):
            client.dns.records.delete(record.id, zone_id=zone.id)
        imported = client.dns.records.import_(zone_id=zone.id, file=exported, proxied="false")
        assert imported.recs_added == 3
        names = {record.name.split(".")[0] for record in client.dns.records.list(zone_id=zone.id)}
        assert names == {"patched", "put", "posted"}


@walk
def tokens(client):
    keyed = client_of(**owner)
    with new_zone(client) as zone:
        (group,) = client.user.tokens.permission_groups.list(name="DNS Write")
        policies = [
            {
                "effect": "allow",
                "resources": {f"com.cloudflare.api.account.zone.{zone.id}": "*"},
                "permission_groups": [{"id": group.id}],
            }
        ]
        made = client.user.tokens.create(name="ci", policies=policies)
        own = client_of(api_token=made.value)
        assert own.user.tokens.verify().id == made.id
        record = own.dns.records.create(
            zone_id=zone.id, type="A", name="ci", content="192.0.2.1", ttl=1
        )
        assert own.dns.records.delete(record.id, zone_id=zone.id).id == record.id
        with refused(cloudflare.PermissionDeniedError, 403, 10000):
            own.zones.delete(zone_id=zone.id)
        rolled = client.user.tokens.value.update(made.id)
        with refused(cloudflare.AuthenticationError, 401, 1000):
            own.user.tokens.verify()
        assert client_of(api_token=rolled).user.tokens.verify().status == "active"
        changed = client.user.tokens.update(
            made.id, name="ci 2", policies=policies, status="disabled"
        )
        assert (changed.name, changed.status) == ("ci 2", "disabled")
        assert "ci 2" in [token.name for token in client.user.tokens.list()]
        assert client.user.tokens.delete(made.id).id == made.id
        with refused(cloudflare.NotFoundError, 404, 1003):
            client.user.tokens.get(made.id)

        of_account = keyed.accounts.tokens.create(account_id=account_id, name="a", policies=policies)
        its_own = client_of(api_token=of_account.value)
        assert its_own.accounts.tokens.verify(account_id=account_id).id == of_account.id
        client.accounts.tokens.delete(of_account.id, account_id=account_id)


@walk
def rulesets(client):
    with new_zone(client) as zone:
        phase = "http_request_firewall_custom"
        # The package declares these answers as objects of any kind, which it leaves as they are.
        made = client.rulesets.create(
            zone_id=zone.id,
            kind="zone",
            name="Custom rules",
            phase=phase,
            rules=[{"action": "block", "expression": "ip.src eq 192.0.2.1"}],
        )
        assert made["version"] == "1"
        added = client.rulesets.rules.create(
            made["id"], zone_id=zone.id, action="log", expression="true", position={"index": 1}
        )
        assert [rule["action"] for rule in added["rules"]] == ["log", "block"]
        assert client.rulesets.phases.get(phase, zone_id=zone.id).id == made["id"]
        versions = client.rulesets.versions.list(made["id"], zone_id=zone.id)
        assert [item.version for item in versions] == ["1", "2"]
        updated = client.rulesets.phases.update(phase, zone_id=zone.id, rules=[])
        assert (updated["id"], updated["rules"]) == (made["id"], [])
        assert made["id"] in [item.id for item in client.rulesets.list(zone_id=zone.id)]
        with refused(cloudflare.BadRequestError, 400, 20127):
            client.rulesets.phases.update(
                phase, zone_id=zone.id, rules=[{"action": "block", "expression": "nothing"}]
            )
        client.rulesets.delete(made["id"], zone_id=zone.id)


@walk
def certificates_rules_and_settings(client):
    with new_zone(client) as zone:
        pack = client.ssl.certificate_packs.create(
            zone_id=zone.id,
            type="advanced",
            hosts=["python.example", "*.python.example"],
            validation_method="txt",
            validity_days=14,
            certificate_authority="lets_encrypt",
        )
        assert pack.id in [item.id for item in client.ssl.certificate_packs.list(zone_id=zone.id, status="all")]
        assert client.ssl.certificate_packs.get(pack.id, zone_id=zone.id).type == "advanced"
        assert client.ssl.certificate_packs.delete(pack.id, zone_id=zone.id).id == pack.id

        rule = client.page_rules.create(
            zone_id=zone.id,
            targets=[{"target": "url", "constraint": {"operator": "matches", "value": "python.example/*"}}],
            actions=[{"id": "always_use_https"}],
        )
        assert [item.id for item in client.page_rules.list(zone_id=zone.id)] == [rule.id]
        assert client.page_rules.edit(rule.id, zone_id=zone.id, status="active").status == "active"
        client.page_rules.delete(rule.id, zone_id=zone.id)

        assert client.zones.settings.edit("always_use_https", zone_id=zone.id, value="on").value == "on"
        assert client.zones.settings.get("always_use_https", zone_id=zone.id).value == "on"


@walk
def errors(client):
    with new_zone(client) as zone:
        record = {"zone_id": zone.id, "type": "A", "name": "www", "content": "192.0.2.1", "ttl": 1}
        client.dns.records.create(**record)
        with refused(cloudflare.BadRequestError, 400, 81058):
            client.dns.records.create(**record)
        with refused(cloudflare.BadRequestError, 400, 9005):
            client.dns.records.create(**{**record, "content": "nowhere"})
        with refused(cloudflare.NotFoundError, 404, 81044):
            client.dns.records.get(unknown_id, zone_id=zone.id)
        with refused(cloudflare.NotFoundError, 404, 1001):
            client.zones.get(zone_id=unknown_id)
        with refused(cloudflare.PermissionDeniedError, 403, 9103):
            client_of(api_email=owner["api_email"], api_key="f" * 37).zones.list().result
        with refused(cloudflare.BadRequestError, 400, 6003):
            client_of(api_token="short").user.get()


def main():
    credentials = [{"api_token": os.environ["ZONEWARD_TOKEN"]}, owner]
    for function in walks:
        # By key no token of a user can be made.
        for given in credentials[:1] if function is tokens else credentials:
            function(client_of(**given))
    print(f"{len(walks)} walks with cloudflare {cloudflare.__version__}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
