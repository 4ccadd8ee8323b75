// Package v6 walks through a Zoneward, which the environment names, with cloudflare-go of today.
package v6

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/cloudflare/cloudflare-go/v6"
	"github.com/cloudflare/cloudflare-go/v6/dns"
	"github.com/cloudflare/cloudflare-go/v6/option"
	"github.com/cloudflare/cloudflare-go/v6/page_rules"
	"github.com/cloudflare/cloudflare-go/v6/rulesets"
	"github.com/cloudflare/cloudflare-go/v6/shared"
	"github.com/cloudflare/cloudflare-go/v6/ssl"
	"github.com/cloudflare/cloudflare-go/v6/user"
	"github.com/cloudflare/cloudflare-go/v6/zones"
)

var (
	ctx       = context.Background()
	account   = zones.ZoneNewParamsAccount{ID: cloudflare.F(os.Getenv("ZONEWARD_ACCOUNT"))}
	unknownID = strings.Repeat("0", 32)
)

func clientOf(credentials ...option.RequestOption) *cloudflare.Client {
	options := []option.RequestOption{option.WithBaseURL(os.Getenv("ZONEWARD_URL")), option.WithMaxRetries(0)}
	return cloudflare.NewClient(append(options, credentials...)...)
}

func owner() *cloudflare.Client {
	return clientOf(option.WithAPIToken(os.Getenv("ZONEWARD_TOKEN")))
}

func ownerByKey() *cloudflare.Client {
	return clientOf(option.WithAPIEmail(os.Getenv("ZONEWARD_EMAIL")), option.WithAPIKey(os.Getenv("ZONEWARD_KEY")))
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

func equal[T comparable](t *testing.T, got, want T) {
	t.Helper()
	if got != want {
		t.Fatalf("got %v, want %v", got, want)
	}
}

func refused(t *testing.T, err error, status int, code int64) {
	t.Helper()
	var refusal *cloudflare.Error
	if !errors.As(err, &refusal) {
		t.Fatalf("%T is not an error of the package: %v", err, err)
	}
	if refusal.StatusCode != status || len(refusal.Errors) == 0 || refusal.Errors[0].Code != code {
		t.Fatalf("not %d with code %d: %v", status, code, err)
	}
}

func newZone(t *testing.T, client *cloudflare.Client, name string) *zones.Zone {
	t.Helper()
	zone := must(client.Zones.New(ctx, zones.ZoneNewParams{Account: cloudflare.F(account), Name: cloudflare.F(name)}))(t)
	t.Cleanup(func() { must(client.Zones.Delete(ctx, zones.ZoneDeleteParams{ZoneID: cloudflare.F(zone.ID)}))(t) })
	return zone
}

func textRecord(name string) dns.TXTRecordParam {
	return dns.TXTRecordParam{
		Name:    cloudflare.F(name),
		Type:    cloudflare.F(dns.TXTRecordTypeTXT),
		Content: cloudflare.F("text"),
		TTL:     cloudflare.F(dns.TTL1),
	}
}

func addressRecord(name string) dns.ARecordParam {
	return dns.ARecordParam{
		Name:    cloudflare.F(name),
		Type:    cloudflare.F(dns.ARecordTypeA),
		Content: cloudflare.F("192.0.2.1"),
		TTL:     cloudflare.F(dns.TTL1),
	}
}

func TestZones(t *testing.T) {
	for _, client := range []*cloudflare.Client{owner(), ownerByKey()} {
		t.Run("", func(t *testing.T) {
			zone := newZone(t, client, "go6.example")
			id := cloudflare.F(zone.ID)
			equal(t, zone.Status, zones.ZoneStatusPending)
			edited := must(client.Zones.Edit(ctx, zones.ZoneEditParams{ZoneID: id, Paused: cloudflare.F(true)}))(t)
			equal(t, edited.Paused, true)
			must(client.Zones.ActivationCheck.Trigger(ctx, zones.ActivationCheckTriggerParams{ZoneID: id}))(t)
			equal(t, must(client.Zones.Get(ctx, zones.ZoneGetParams{ZoneID: id}))(t).Status, zones.ZoneStatusActive)
			found := must(client.Zones.List(ctx, zones.ZoneListParams{Name: cloudflare.F("go6.example")}))(t)
			equal(t, len(found.Result), 1)
		})
	}
}

func TestPages(t *testing.T) {
	client := owner()
	for index := range 12 {
		newZone(t, client, fmt.Sprintf("zone%02d.example", index))
	}
	pages := client.Zones.ListAutoPaging(ctx, zones.ZoneListParams{PerPage: cloudflare.F(5.0)})
	count := 0
	for pages.Next() {
		equal(t, pages.Current().Name, fmt.Sprintf("zone%02d.example", count))
		count++
	}
	must(count, pages.Err())(t)
	equal(t, count, 12)
}

func TestRecords(t *testing.T) {
	client := owner()
	id := cloudflare.F(newZone(t, client, "go6.example").ID)
	digest := strings.Repeat("ab", 32)
	bodies := []dns.RecordNewParamsBodyUnion{
		addressRecord("a"),
		textRecord("txt"),
		dns.AAAARecordParam{Name: cloudflare.F("aaaa"), Type: cloudflare.F(dns.AAAARecordTypeAAAA), Content: cloudflare.F("2001:db8::1"), TTL: cloudflare.F(dns.TTL1)},
		dns.CNAMERecordParam{Name: cloudflare.F("cname"), Type: cloudflare.F(dns.CNAMERecordTypeCNAME), Content: cloudflare.F("target.example"), TTL: cloudflare.F(dns.TTL1)},
		dns.MXRecordParam{Name: cloudflare.F("mx"), Type: cloudflare.F(dns.MXRecordTypeMX), Content: cloudflare.F("mx.example"), Priority: cloudflare.F(10.0), TTL: cloudflare.F(dns.TTL1)},
		dns.CAARecordParam{Name: cloudflare.F("caa"), Type: cloudflare.F(dns.CAARecordTypeCAA), TTL: cloudflare.F(dns.TTL1), Data: cloudflare.F(dns.CAARecordDataParam{
			Flags: cloudflare.F(0.0), Tag: cloudflare.F("issue"), Value: cloudflare.F("ca.example"),
		})},
		dns.SRVRecordParam{Name: cloudflare.F("srv"), Type: cloudflare.F(dns.SRVRecordTypeSRV), TTL: cloudflare.F(dns.TTL1), Data: cloudflare.F(dns.SRVRecordDataParam{
			Port: cloudflare.F(5060.0), Priority: cloudflare.F(1.0), Target: cloudflare.F("sip.example"), Weight: cloudflare.F(2.0),
		})},
		dns.DSRecordParam{Name: cloudflare.F("ds"), Type: cloudflare.F(dns.DSRecordTypeDS), TTL: cloudflare.F(dns.TTL1), Data: cloudflare.F(dns.DSRecordDataParam{
			Algorithm: cloudflare.F(8.0), Digest: cloudflare.F(digest), DigestType: cloudflare.F(2.0), KeyTag: cloudflare.F(1.0),
		})},
	}
	for _, body := range bodies {
		made := must(client.DNS.Records.New(ctx, dns.RecordNewParams{ZoneID: id, Body: body}))(t)
		got := must(client.DNS.Records.Get(ctx, made.ID, dns.RecordGetParams{ZoneID: id}))(t)
		equal(t, got.Content, made.Content)
		equal(t, got.Type, made.Type)
	}
	made := must(client.DNS.Records.New(ctx, dns.RecordNewParams{ZoneID: id, Body: addressRecord("www")}))(t)
	changed := addressRecord("www")
	changed.Proxied = cloudflare.F(true)
	equal(t, must(client.DNS.Records.Update(ctx, made.ID, dns.RecordUpdateParams{ZoneID: id, Body: changed}))(t).Proxied, true)
	changed.Comment = cloudflare.F("edited")
	equal(t, must(client.DNS.Records.Edit(ctx, made.ID, dns.RecordEditParams{ZoneID: id, Body: changed}))(t).Comment, "edited")

	answer := must(client.DNS.Records.Batch(ctx, dns.RecordBatchParams{
		ZoneID:  id,
		Deletes: cloudflare.F([]dns.RecordBatchParamsDelete{{ID: cloudflare.F(made.ID)}}),
		Posts:   cloudflare.F([]dns.RecordBatchParamsPostUnion{textRecord("posted")}),
	}))(t)
	equal(t, answer.Deletes[0].ID, made.ID)
	equal(t, answer.Posts[0].Name, "posted.go6.example")

	pages := client.DNS.Records.ListAutoPaging(ctx, dns.RecordListParams{ZoneID: id, PerPage: cloudflare.F(5.0)})
	var listed []string
	for pages.Next() {
		listed = append(listed, pages.Current().ID)
	}
	must(listed, pages.Err())(t)
	equal(t, len(listed), len(bodies)+1)

	exported := must(client.DNS.Records.Export(ctx, dns.RecordExportParams{ZoneID: id}))(t)
	for _, record := range listed {
		must(client.DNS.Records.Delete(ctx, record, dns.RecordDeleteParams{ZoneID: id}))(t)
	}
	imported := must(client.DNS.Records.Import(ctx, dns.RecordImportParams{ZoneID: id, File: cloudflare.F(*exported)}))(t)
	equal(t, imported.RecsAdded, float64(len(listed)))
}

func TestTokens(t *testing.T) {
	client := owner()
	zone := newZone(t, client, "go6.example")
	id := cloudflare.F(zone.ID)
	groups := must(client.User.Tokens.PermissionGroups.List(ctx, user.TokenPermissionGroupListParams{Name: cloudflare.F("DNS Write")}))(t)
	policy := shared.TokenPolicyParam{
		Effect:           cloudflare.F(shared.TokenPolicyEffectAllow),
		PermissionGroups: cloudflare.F([]shared.TokenPolicyPermissionGroupParam{{ID: cloudflare.F(groups.Result[0].ID)}}),
		Resources: cloudflare.F[shared.TokenPolicyResourcesUnionParam](shared.TokenPolicyResourcesIAMResourcesTypeObjectStringParam{
			"com.cloudflare.api.account.zone." + zone.ID: "*",
		}),
	}
	policies := cloudflare.F([]shared.TokenPolicyParam{policy})
	made := must(client.User.Tokens.New(ctx, user.TokenNewParams{Name: cloudflare.F("ci"), Policies: policies}))(t)
	own := clientOf(option.WithAPIToken(string(made.Value)))
	equal(t, must(own.User.Tokens.Verify(ctx))(t).ID, made.ID)
	record := must(own.DNS.Records.New(ctx, dns.RecordNewParams{ZoneID: id, Body: addressRecord("ci")}))(t)
	must(own.DNS.Records.Delete(ctx, record.ID, dns.RecordDeleteParams{ZoneID: id}))(t)
	_, err := own.Zones.Delete(ctx, zones.ZoneDeleteParams{ZoneID: id})
	refused(t, err, 403, 10000)

	rolled := must(client.User.Tokens.Value.Update(ctx, made.ID, user.TokenValueUpdateParams{Body: map[string]any{}}))(t)
	_, err = own.User.Tokens.Verify(ctx)
	refused(t, err, 401, 1000)
	equal(t, must(clientOf(option.WithAPIToken(string(*rolled))).User.Tokens.Verify(ctx))(t).Status, user.TokenVerifyResponseStatusActive)
	must(client.User.Tokens.Delete(ctx, made.ID))(t)
	_, err = client.User.Tokens.Get(ctx, made.ID)
	refused(t, err, 404, 1003)
}

func TestRulesets(t *testing.T) {
	client := owner()
	id := cloudflare.F(newZone(t, client, "go6.example").ID)
	block := rulesets.BlockRuleParam{
		Action:     cloudflare.F(rulesets.BlockRuleActionBlock),
		Expression: cloudflare.F("ip.src eq 192.0.2.1"),
	}
	made := must(client.Rulesets.New(ctx, rulesets.RulesetNewParams{
		ZoneID: id,
		Kind:   cloudflare.F(rulesets.KindZone),
		Name:   cloudflare.F("Custom rules"),
		Phase:  cloudflare.F(rulesets.PhaseHTTPRequestFirewallCustom),
		Rules:  cloudflare.F([]rulesets.RulesetNewParamsRuleUnion{block}),
	}))(t)
	equal(t, made.Version, "1")
	updated := must(client.Rulesets.Phases.Update(ctx, rulesets.PhaseHTTPRequestFirewallCustom, rulesets.PhaseUpdateParams{
		ZoneID: id,
		Rules:  cloudflare.F([]rulesets.PhaseUpdateParamsRuleUnion{block, block}),
	}))(t)
	equal(t, updated.ID, made.ID)
	equal(t, len(updated.Rules), 2)
	block.Expression = cloudflare.F("nothing")
	_, err := client.Rulesets.Phases.Update(ctx, rulesets.PhaseHTTPRequestFirewallCustom, rulesets.PhaseUpdateParams{
		ZoneID: id,
		Rules:  cloudflare.F([]rulesets.PhaseUpdateParamsRuleUnion{block}),
	})
	refused(t, err, 400, 20127)
	if err := client.Rulesets.Delete(ctx, made.ID, rulesets.RulesetDeleteParams{ZoneID: id}); err != nil {
		t.Fatal(err)
	}
}

func TestCertificatesRulesAndSettings(t *testing.T) {
	client := owner()
	id := cloudflare.F(newZone(t, client, "go6.example").ID)
	pack := must(client.SSL.CertificatePacks.New(ctx, ssl.CertificatePackNewParams{
		ZoneID:               id,
		CertificateAuthority: cloudflare.F(ssl.CertificatePackNewParamsCertificateAuthorityLetsEncrypt),
		Hosts:                cloudflare.F([]ssl.HostParam{"go6.example"}),
		Type:                 cloudflare.F(ssl.CertificatePackNewParamsTypeAdvanced),
		ValidationMethod:     cloudflare.F(ssl.CertificatePackNewParamsValidationMethodTXT),
		ValidityDays:         cloudflare.F(ssl.CertificatePackNewParamsValidityDays14),
	}))(t)
	must(client.SSL.CertificatePacks.Get(ctx, pack.ID, ssl.CertificatePackGetParams{ZoneID: id}))(t)
	must(client.SSL.CertificatePacks.Delete(ctx, pack.ID, ssl.CertificatePackDeleteParams{ZoneID: id}))(t)

	rule := must(client.PageRules.New(ctx, page_rules.PageRuleNewParams{
		ZoneID: id,
		Actions: cloudflare.F([]page_rules.PageRuleNewParamsActionUnion{page_rules.PageRuleNewParamsAction{
			ID: cloudflare.F(page_rules.PageRuleNewParamsActionsIDAlwaysUseHTTPS),
		}}),
		Targets: cloudflare.F([]page_rules.TargetParam{{
			Target: cloudflare.F(page_rules.TargetTargetURL),
			Constraint: cloudflare.F(page_rules.TargetConstraintParam{
				Operator: cloudflare.F(page_rules.TargetConstraintOperatorMatches),
				Value:    cloudflare.F("go6.example/*"),
			}),
		}}),
	}))(t)
	listed := must(client.PageRules.List(ctx, page_rules.PageRuleListParams{ZoneID: id}))(t)
	equal(t, (*listed)[0].ID, rule.ID)
	must(client.PageRules.Delete(ctx, rule.ID, page_rules.PageRuleDeleteParams{ZoneID: id}))(t)

	setting := must(client.Zones.Settings.Edit(ctx, "always_use_https", zones.SettingEditParams{
		ZoneID: id, Body: zones.SettingEditParamsBody{Value: cloudflare.F[any]("on")},
	}))(t)
	equal(t, setting.ID, zones.SettingEditResponseIDAlwaysUseHTTPS)
}

func TestErrors(t *testing.T) {
	client := owner()
	id := cloudflare.F(newZone(t, client, "go6.example").ID)
	record := dns.RecordNewParams{ZoneID: id, Body: addressRecord("www")}
	must(client.DNS.Records.New(ctx, record))(t)
	_, err := client.DNS.Records.New(ctx, record)
	refused(t, err, 400, 81058)
	_, err = client.DNS.Records.Get(ctx, unknownID, dns.RecordGetParams{ZoneID: id})
	refused(t, err, 404, 81044)
	_, err = client.Zones.Get(ctx, zones.ZoneGetParams{ZoneID: cloudflare.F(unknownID)})
	refused(t, err, 404, 1001)
	_, err = clientOf(option.WithAPIToken(strings.Repeat("t", 40))).Zones.List(ctx, zones.ZoneListParams{})
	refused(t, err, 403, 9109)
}
