// Package v0 walks through a Zoneward, which the environment names, with cloudflare-go as it was before version 1.
package v0

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/cloudflare/cloudflare-go"
)

var (
	ctx       = context.Background()
	accountID = os.Getenv("ZONEWARD_ACCOUNT")
	unknownID = strings.Repeat("0", 32)
)

func options() []cloudflare.Option {
	return []cloudflare.Option{
		cloudflare.BaseURL(os.Getenv("ZONEWARD_URL")),
		cloudflare.UsingRetryPolicy(0, 0, 0),
		cloudflare.UsingRateLimit(1000),
	}
}

func byToken(t *testing.T, token string) *cloudflare.API {
	t.Helper()
	return must(cloudflare.NewWithAPIToken(token, options()...))(t)
}

func owner(t *testing.T) *cloudflare.API {
	t.Helper()
	return byToken(t, os.Getenv("ZONEWARD_TOKEN"))
}

func ownerByKey(t *testing.T) *cloudflare.API {
	t.Helper()
	return must(cloudflare.New(os.Getenv("ZONEWARD_KEY"), os.Getenv("ZONEWARD_EMAIL"), options()...))(t)
}

// must answers the value, or ends the test that it is then given with the error.
func must[T any](value T, err error) func(*testing.T) T {
	return func(t *testing.T) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
}

func succeeds(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func equal[T comparable](t *testing.T, got, want T) {
	t.Helper()
	if got != want {
		t.Fatalf("got %v, want %v", got, want)
	}
}

// refused asks for an error of this type of the package, with this code. The package calls 403 an AuthenticationError and
// 401 an AuthorizationError.
func refused[E interface {
	error
	ErrorCodes() []int
}](t *testing.T, err error, code int) {
	t.Helper()
	var refusal E
	if !errors.As(err, &refusal) {
		t.Fatalf("%T is not what was asked for: %v", err, err)
	}
	if !slices.Contains(refusal.ErrorCodes(), code) {
		t.Fatalf("no code %d: %v", code, err)
	}
}

func newZone(t *testing.T, api *cloudflare.API, name string) cloudflare.Zone {
	t.Helper()
	zone := must(api.CreateZone(ctx, name, false, cloudflare.Account{ID: accountID}, "full"))(t)
	t.Cleanup(func() { must(api.DeleteZone(ctx, zone.ID))(t) })
	return zone
}

func TestZones(t *testing.T) {
	for _, api := range []*cloudflare.API{owner(t), ownerByKey(t)} {
		t.Run("", func(t *testing.T) {
			zone := newZone(t, api, "go.example")
			equal(t, zone.Status, "pending")
			equal(t, must(api.ZoneIDByName("go.example"))(t), zone.ID)
			equal(t, must(api.ZoneSetPaused(ctx, zone.ID, true))(t).Paused, true)
			must(api.ZoneActivationCheck(ctx, zone.ID))(t)
			equal(t, must(api.ZoneDetails(ctx, zone.ID))(t).Status, "active")
			found := must(api.ListZonesContext(ctx, cloudflare.WithZoneFilters("go.example", accountID, "active")))(t)
			equal(t, len(found.Result), 1)
		})
	}
}

func TestRecords(t *testing.T) {
	api := owner(t)
	rc := cloudflare.ZoneIdentifier(newZone(t, api, "go.example").ID)
	priority := uint16(10)
	records := []cloudflare.CreateDNSRecordParams{
		{Type: "A", Content: "192.0.2.1"},
		{Type: "AAAA", Content: "2001:db8::1", Comment: "six", Tags: []string{"team:dns"}},
		{Type: "CAA", Data: map[string]any{"flags": 0, "tag": "issue", "value": "ca.example"}},
		{Type: "CERT", Data: map[string]any{"algorithm": 8, "certificate": "Y2VydA==", "key_tag": 1, "type": 9}},
		{Type: "CNAME", Content: "target.example"},
		{Type: "DNSKEY", Data: map[string]any{"algorithm": 5, "flags": 1, "protocol": 3, "public_key": "a2V5"}},
		{Type: "DS", Data: map[string]any{"algorithm": 8, "digest": strings.Repeat("ab", 32), "digest_type": 2, "key_tag": 1}},
		{Type: "HTTPS", Data: map[string]any{"priority": 1, "target": ".", "value": `alpn="h2"`}},
		{Type: "LOC", Data: map[string]any{
			"altitude": 0, "size": 100, "precision_horz": 0, "precision_vert": 0,
			"lat_degrees": 37, "lat_minutes": 46, "lat_seconds": 46, "lat_direction": "N",
			"long_degrees": 122, "long_minutes": 23, "long_seconds": 35, "long_direction": "W",
		}},
		{Type: "MX", Content: "mx.example", Priority: &priority},
		{Type: "NAPTR", Data: map[string]any{
			"flags": "S", "order": 100, "preference": 10, "regex": "", "replacement": "a.example", "service": "SIP+D2U",
		}},
		{Type: "NS", Content: "ns.example"},
		{Type: "PTR", Content: "host.example"},
		{Type: "SMIMEA", Data: map[string]any{
			"certificate": strings.Repeat("ab", 32), "matching_type": 1, "selector": 1, "usage": 3,
		}},
		{Type: "SRV", Data: map[string]any{"port": 5060, "priority": 1, "target": "sip.example", "weight": 2}},
		{Type: "SSHFP", Data: map[string]any{"algorithm": 4, "fingerprint": strings.Repeat("ab", 32), "type": 2}},
		{Type: "SVCB", Data: map[string]any{"priority": 1, "target": ".", "value": `alpn="h2"`}},
		{Type: "TLSA", Data: map[string]any{
			"certificate": strings.Repeat("ab", 32), "matching_type": 1, "selector": 1, "usage": 3,
		}},
		{Type: "TXT", Content: `"a text"`},
		{Type: "URI", Data: map[string]any{"target": "https://example.net/", "weight": 2}, Priority: &priority},
	}
	for _, sent := range records {
		sent.Name = strings.ToLower(sent.Type) + ".go.example"
		sent.TTL = 300
		made := must(api.CreateDNSRecord(ctx, rc, sent))(t)
		equal(t, made.Name, sent.Name)
		equal(t, must(api.GetDNSRecord(ctx, rc, made.ID))(t).Content, made.Content)
		changed := must(api.UpdateDNSRecord(ctx, rc, cloudflare.UpdateDNSRecordParams{ID: made.ID, TTL: 600}))(t)
		equal(t, changed.TTL, 600)
	}

	// More than a page.
	for index := range 120 {
		name := strings.Repeat("x", index%20+1) + "-" + string(rune('a'+index/20)) + ".go.example"
		must(api.CreateDNSRecord(ctx, rc, cloudflare.CreateDNSRecordParams{Type: "TXT", Name: name, Content: "text", TTL: 1}))(t)
	}
	listed, _, err := api.ListDNSRecords(ctx, rc, cloudflare.ListDNSRecordsParams{})
	succeeds(t, err)
	equal(t, len(listed), len(records)+120)
	byTag, _, err := api.ListDNSRecords(ctx, rc, cloudflare.ListDNSRecordsParams{Tags: []string{"team:dns"}})
	succeeds(t, err)
	equal(t, len(byTag), 1)

	exported := must(api.ExportDNSRecords(ctx, rc, cloudflare.ExportDNSRecordsParams{}))(t)
	for _, record := range listed {
		succeeds(t, api.DeleteDNSRecord(ctx, rc, record.ID))
	}
	succeeds(t, api.ImportDNSRecords(ctx, rc, cloudflare.ImportDNSRecordsParams{BINDContents: exported}))
	again, _, err := api.ListDNSRecords(ctx, rc, cloudflare.ListDNSRecordsParams{})
	succeeds(t, err)
	equal(t, len(again), len(listed))
}

func TestTokens(t *testing.T) {
	api := owner(t)
	zone := newZone(t, api, "go.example")
	groups := must(api.ListAPITokensPermissionGroups(ctx))(t)
	at := slices.IndexFunc(groups, func(group cloudflare.APITokenPermissionGroups) bool { return group.Name == "DNS Write" })
	policies := []cloudflare.APITokenPolicies{{
		Effect:           "allow",
		Resources:        map[string]any{"com.cloudflare.api.account.zone." + zone.ID: "*"},
		PermissionGroups: []cloudflare.APITokenPermissionGroups{{ID: groups[at].ID}},
	}}
	condition := &cloudflare.APITokenCondition{RequestIP: &cloudflare.APITokenRequestIPCondition{In: []string{"127.0.0.0/8"}}}
	made := must(api.CreateAPIToken(ctx, cloudflare.APIToken{Name: "ci", Policies: policies, Condition: condition}))(t)
	own := byToken(t, made.Value)
	equal(t, must(own.VerifyAPIToken(ctx))(t).ID, made.ID)
	rc := cloudflare.ZoneIdentifier(zone.ID)
	record := must(own.CreateDNSRecord(ctx, rc, cloudflare.CreateDNSRecordParams{Type: "A", Name: "ci", Content: "192.0.2.1", TTL: 1}))(t)
	succeeds(t, own.DeleteDNSRecord(ctx, rc, record.ID))
	_, err := own.DeleteZone(ctx, zone.ID)
	refused[*cloudflare.AuthenticationError](t, err, 10000)

	rolled := must(api.RollAPIToken(ctx, made.ID))(t)
	_, err = own.VerifyAPIToken(ctx)
	refused[*cloudflare.AuthorizationError](t, err, 1000)
	equal(t, must(byToken(t, rolled).VerifyAPIToken(ctx))(t).Status, "active")
	changed := must(api.UpdateAPIToken(ctx, made.ID, cloudflare.APIToken{Name: "ci 2", Status: "disabled", Policies: policies}))(t)
	equal(t, changed.Status, "disabled")
	succeeds(t, api.DeleteAPIToken(ctx, made.ID))
	_, err = api.GetAPIToken(ctx, made.ID)
	refused[*cloudflare.NotFoundError](t, err, 1003)
}

func TestRulesets(t *testing.T) {
	api := owner(t)
	rc := cloudflare.ZoneIdentifier(newZone(t, api, "go.example").ID)
	phase := "http_request_firewall_custom"
	block := cloudflare.RulesetRule{Action: "block", Expression: "ip.src eq 192.0.2.1"}
	made := must(api.CreateRuleset(ctx, rc, cloudflare.CreateRulesetParams{
		Kind: "zone", Name: "Custom rules", Phase: phase, Rules: []cloudflare.RulesetRule{block},
	}))(t)
	equal(t, *made.Version, "1")
	updated := must(api.UpdateEntrypointRuleset(ctx, rc, cloudflare.UpdateEntrypointRulesetParams{
		Phase: phase, Rules: append(made.Rules, block),
	}))(t)
	equal(t, updated.Rules[0].ID, made.Rules[0].ID)
	equal(t, len(must(api.GetEntrypointRuleset(ctx, rc, phase))(t).Rules), 2)
	listed := must(api.ListRulesets(ctx, rc, cloudflare.ListRulesetsParams{}))(t)
	equal(t, slices.ContainsFunc(listed, func(ruleset cloudflare.Ruleset) bool { return ruleset.ID == made.ID }), true)
	_, err := api.UpdateRuleset(ctx, rc, cloudflare.UpdateRulesetParams{
		ID: made.ID, Rules: []cloudflare.RulesetRule{{Action: "block", Expression: "nothing"}},
	})
	refused[*cloudflare.RequestError](t, err, 20127)
	succeeds(t, api.DeleteRuleset(ctx, rc, made.ID))
}

func TestCertificatesRulesAndSettings(t *testing.T) {
	api := owner(t)
	zone := newZone(t, api, "go.example")
	pack := must(api.CreateCertificatePack(ctx, zone.ID, cloudflare.CertificatePackRequest{
		Type: "advanced", Hosts: []string{"go.example"}, ValidationMethod: "txt", ValidityDays: 14, CertificateAuthority: "lets_encrypt",
	}))(t)
	equal(t, must(api.CertificatePack(ctx, zone.ID, pack.ID))(t).Type, "advanced")
	must(api.ListCertificatePacks(ctx, zone.ID))(t)
	succeeds(t, api.DeleteCertificatePack(ctx, zone.ID, pack.ID))

	target := cloudflare.PageRuleTarget{Target: "url"}
	target.Constraint.Operator, target.Constraint.Value = "matches", "go.example/*"
	rule := must(api.CreatePageRule(ctx, zone.ID, cloudflare.PageRule{
		Targets: []cloudflare.PageRuleTarget{target},
		Actions: []cloudflare.PageRuleAction{{ID: "always_use_https"}},
		Status:  "active",
	}))(t)
	equal(t, len(must(api.ListPageRules(ctx, zone.ID))(t)), 1)
	succeeds(t, api.DeletePageRule(ctx, zone.ID, rule.ID))

	rc := cloudflare.ZoneIdentifier(zone.ID)
	changed := must(api.UpdateZoneSetting(ctx, rc, cloudflare.UpdateZoneSettingParams{Name: "always_use_https", Value: "on"}))(t)
	equal(t, changed.Value, any("on"))
	equal(t, must(api.GetZoneSetting(ctx, rc, cloudflare.GetZoneSettingParams{Name: "always_use_https"}))(t).Value, any("on"))
	equal(t, len(must(api.ZoneSettings(ctx, zone.ID))(t).Result) > 40, true)
}

func TestErrors(t *testing.T) {
	api := owner(t)
	rc := cloudflare.ZoneIdentifier(newZone(t, api, "go.example").ID)
	record := cloudflare.CreateDNSRecordParams{Type: "A", Name: "www", Content: "192.0.2.1", TTL: 1}
	must(api.CreateDNSRecord(ctx, rc, record))(t)
	_, err := api.CreateDNSRecord(ctx, rc, record)
	refused[*cloudflare.RequestError](t, err, 81058)
	_, err = api.GetDNSRecord(ctx, rc, unknownID)
	refused[*cloudflare.NotFoundError](t, err, 81044)
	_, err = api.ZoneDetails(ctx, unknownID)
	refused[*cloudflare.NotFoundError](t, err, 1001)
	_, err = byToken(t, strings.Repeat("t", 40)).ListZones(ctx)
	refused[*cloudflare.AuthenticationError](t, err, 9109)
}
