import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";

import { createEngines } from "../../engines/engines.ts";
import { compileExpression } from "../expression/compile/compile.ts";
import { wafRules } from "../previous-waf/catalogue.ts";
import { phaseDefinitions } from "../rulesets/phases.ts";
import { ManagedRulesets, findBuiltInRuleset } from "./managed-rulesets.ts";

const rulesets = new ManagedRulesets("cloudflare").latest();
const [managed, owasp] = rulesets;
assert.ok(managed && owasp);

/**
 * Matches expressions that need packets, bot scores or leaked credentials, or stand for a pattern that the language
 * cannot say.
 */
const neverMatches = /^false$|cf\.bot_management\.|cf\.waf\.credential_check\./;

describe("the catalogue of managed rulesets", () => {
  test("every expression is one of the language, in the phase of its ruleset", async () => {
    const engines = createEngines();
    for (const { phase, rules } of rulesets) {
      for (const { expression } of rules) compileExpression(expression, engines, { phase }).free();
    }
  });

  test("ids are public ones where there are any, and each is there once", () => {
    const ids = rulesets.flatMap(({ id, rules }) => [id, ...rules.map((rule) => rule.id)]);
    assert.equal(new Set(ids).size, ids.length);
    assert.ok(ids.every((id) => /^[0-9a-f]{32}$/.test(id)));
    const published = [
      "efb7b8c949ac4650a09736fc376e9aee",
      "4814384a9e5d4991b9815dcfc25d2f1f",
      "c2e184081120413c86c3ab7e14069605",
      "77454fe2d30c4220b5701f6fdfb893ba",
      "e22d83c647c64a3eae91b71b499d988e",
      "4d21379b4f9f4bb088e0729962c8b3cf",
      "70339d97bdb34195bbf054b1ebe81f76",
      "a6905ff86d3844cebc1a88dd80c659e7",
      "48ba18287c544bd7bdbe842a294f1ae2",
      "6179ae15870a4bb7b2d480d4843b323c",
      "d9e350f1b72d4730899c8a420e48a85d",
      "5de7edfa648c4d6891dc3e7f84534ffa",
      "23ee7cebe6e8443e99ecf932ab579455",
      "37da7855d2f94f69865365d894a556a4",
      "6afe6795ee6a48d6a1dfe59255395a78",
      "5a6f5a57cde8428ab0668ce17cdec0c8",
      "04116d14d7524986ba314d11c8a41e11",
      "55b58c71f653446fa0942cf7700f8c8e",
      "7683285d70b14023ac407b67eccbb280",
      "8fc7efb08f984ced8d61b34b254da96a",
      "fdfdac75430c4c47a959592f0aa5e68a",
      "3b64149bfa6e4220bbbc2bd6db589552",
      "599dab0942ff4898ac1b7797e954e98b",
      "78723a9e0c7c4c6dbec5684cb766231d",
      "b232b534beea4e00a21dcbb7a8a545e9",
      "20e18610e4a048d6b87430b3cb2d89a3",
      "60444c0705d4438799584a15cca2cb7d",
    ];
    assert.deepEqual(
      published.filter((id) => !ids.includes(id)),
      [],
    );
  });

  test("the Managed Ruleset has rules of every kind, each of which continues a rule of the previous version", () => {
    const continuedBy = new Map(wafRules.map((rule) => [rule.continuedBy, rule.id]));
    const continued = managed.rules.map(({ id }) => continuedBy.get(id));
    assert.ok(managed.rules.length >= 80);
    assert.equal(new Set(continued).size, managed.rules.length);
    assert.ok(!continued.includes(undefined));
    for (const id of ["100000", "100015", "100048", "100030", "100043A", "WP0025B", "100000356"]) {
      assert.ok(continued.includes(id), id);
    }
    const categories = new Set(managed.rules.flatMap((rule) => rule.categories ?? []));
    for (const one of ["wordpress", "drupal", "php", "sqli", "xss", "rce", "file-inclusion", "broad"]) {
      assert.ok(categories.has(one), one);
    }
    assert.ok(managed.rules.filter(({ description }) => description?.includes("CVE:CVE-")).length >= 50);
  });

  test("docs/divergences.md says how many rules have examples, and how many never match", () => {
    const never = (all: typeof rulesets) =>
      all.flatMap(({ rules }) => rules).filter(({ expression }) => neverMatches.test(expression)).length;
    const [ofOwasp, ofOthers] = [never([owasp]), never(rulesets.filter((ruleset) => ruleset !== owasp))];
    const free = findBuiltInRuleset("77454fe2d30c4220b5701f6fdfb893ba", "cloudflare");
    const page = readFileSync("docs/divergences.md", "utf8");
    for (const text of [
      `${managed.rules.length + (free?.rules.length ?? 0)} rules of the Managed Ruleset and the Managed Free Ruleset`,
      `at the edge, ${ofOthers} rules:`,
      `${ofOwasp} of the ${owasp.rules.length} of the OWASP Core Ruleset`,
    ]) {
      assert.ok(page.includes(text), text);
    }
  });

  test("rules do what their phase allows, or what managed rules do besides", () => {
    for (const { phase, rules } of rulesets) {
      const allowed = new Set<string>([
        ...phaseDefinitions[phase].actions,
        "score",
        "managed_challenge",
        "ddos_dynamic",
        "rewrite",
      ]);
      for (const { action } of rules) assert.ok(allowed.has(action), action);
    }
  });

  test("the OWASP Core Ruleset has one rule for each of the Core Rule Set, and the one that judges their sum last", () => {
    const numbers = owasp.rules.map(({ description }) => Number(description.split(":", 1)[0]));
    assert.ok(numbers.every((number) => number >= 911_000 && number < 950_000));
    assert.deepEqual(
      numbers,
      numbers.toSorted((one, other) => one - other),
    );
    assert.equal(new Set(numbers).size, numbers.length);
    const scoring = owasp.rules.slice(0, -1);
    assert.ok(
      scoring.every(
        ({ action, categories }) =>
          action === "score" && /^paranoia-level-[1-4]$/.test(categories?.[0] ?? ""),
      ),
    );
    assert.equal(owasp.rules.at(-1)?.description, "949110: Inbound Anomaly Score Exceeded");
  });

  test("rules of the OWASP Core Ruleset are in the category of the language that they are about", () => {
    const inCategory = (category: string) =>
      owasp.rules
        .filter(({ categories = [] }) => categories.includes(category))
        .map(({ description }) => description.slice(0, 3));
    assert.deepEqual(new Set(inCategory("language-java")), new Set(["944"]));
    assert.deepEqual(new Set(inCategory("language-php")), new Set(["933"]));
    assert.deepEqual(new Set(inCategory("language-shell")), new Set(["932"]));
  });

  test("names and descriptions that name the vendor name the one of the setting", () => {
    const headOf = (id: string, vendor: string) => {
      const { name, description } = findBuiltInRuleset(id, vendor) ?? {};
      return [name, description];
    };
    assert.deepEqual(headOf("3b64149bfa6e4220bbbc2bd6db589552", "cloudflare"), [
      "Cloudflare L3/4 DDoS Ruleset",
      "This is the Managed Cloudflare L3/4 DDoS Ruleset. Cloudflare routinely adds signatures to address new attack vectors. Additional configuration allows you to customize the sensitivity of each rule and the performed mitigation action.",
    ]);
    assert.deepEqual(headOf("77454fe2d30c4220b5701f6fdfb893ba", "acme"), [
      "Acme Managed Free Ruleset",
      "Created by the Acme security team, this ruleset is designed to provide protection for free zones",
    ]);
    assert.deepEqual(headOf("70339d97bdb34195bbf054b1ebe81f76", "cloudflare"), [
      "Cloudflare Normalization Ruleset",
      "Created by the Cloudflare security team, this ruleset provides normalization on the URL path",
    ]);
  });

  test("the latest version is the one that is found without a number; earlier ones lack its rules", () => {
    const versions = new ManagedRulesets("cloudflare").versions(managed.id);
    assert.equal(versions.at(-1), findBuiltInRuleset(managed.id, "cloudflare", "latest"));
    assert.deepEqual(
      versions.map(({ version }) => version),
      ["1", "2"],
    );
    const [first] = versions;
    assert.ok(first !== undefined && first.rules.length < managed.rules.length);
    for (const version of ["0", "3", "-1", "1.5", "x", ""]) {
      assert.equal(findBuiltInRuleset(managed.id, "cloudflare", version), undefined, version);
    }
    assert.deepEqual(new ManagedRulesets("cloudflare").versions("0".repeat(32)), []);
    assert.equal(findBuiltInRuleset(managed.id, "acme")?.name, "Acme Managed Ruleset");
  });
});
