import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { before, test, type TestContext } from "node:test";

import { createAuthority, issueServerCertificate } from "../../src/tls/local-ca.ts";
import {
  newDirectory,
  onComparedEngines,
  ownerToken,
  startOfTime,
  startTestApp,
  type Engine,
  type TestApp,
} from "../support/harness.ts";
import { parseHcl } from "../support/hcl.ts";
import { runBeside } from "../support/installed-clients.ts";
import { terraformResources } from "../support/terraform-resources.ts";

const page = readFileSync("docs/terraform.md", "utf8");
const examples = page.slice(page.indexOf("\n## Examples"), page.indexOf("\n## Version 1"));
const texts = [...examples.matchAll(/```hcl\n(.*?)```/gs)].map(([, text = ""]) => text);
const resources = texts.flatMap(parseHcl).filter(({ keyword }) => keyword === "resource");

const hasTerraform = spawnSync("terraform", ["version"]).status === 0;
const pluginDirectory = process.env["TERRAFORM_PLUGIN_DIR"];
const withoutTerraform = hasTerraform ? false : "terraform is not installed";
const withoutProvider =
  withoutTerraform ||
  (pluginDirectory === undefined && "the provider is not there: TERRAFORM_PLUGIN_DIR names no directory");

type Values = Record<string, unknown>;

onComparedEngines("the examples of docs/terraform.md", (engine) => {
  let variables: Readonly<Record<string, string>>;
  before(async () => {
    const validity = { notBefore: startOfTime, notAfter: new Date(startOfTime.getTime() + 86_400_000) };
    const authority = await createAuthority("Some CA", validity);
    const { certificate, privateKey } = await issueServerCertificate(
      authority,
      ["shop.example", "bare.example"],
      validity,
    );
    variables = { certificate, private_key: privateKey };
  });

  test("are of every resource whose requests are known", () => {
    const shown = new Set(resources.map(({ labels: [kind = ""] }) => kind));
    assert.deepEqual([...shown].toSorted(), Object.keys(terraformResources).toSorted());
    for (const kind of shown) {
      const ofKind = resources.filter(({ labels }) => labels[0] === kind);
      const bare = ofKind.filter(({ labels }) => labels[1] === "bare");
      assert.ok(
        bare.length === 1 && ofKind.length > 1,
        `${kind} is shown with and without optional attributes`,
      );
      const written = Object.keys(bare[0]?.arguments ?? {});
      assert.deepEqual(
        written.filter((argument) => terraformResources[kind]?.optional?.includes(argument)),
        [],
      );
    }
  });

  test("are made by what the provider sends, read back as they are written, and deleted", async (t) => {
    const app = await startExampleApp(t, engine);
    const known = new Map(Object.entries({ ...variables, account_id: app.owner.accountId }));
    const resolve = (reference: string): unknown =>
      known.get(reference.replace(/^var\./, "")) ?? assert.fail(`${reference} is not known`);
    const made: { readonly name: string; readonly path: string }[] = [];
    for (const { labels, arguments: written } of resources) {
      const [kind = "", label = ""] = labels;
      const name = `${kind}.${label}`;
      const resource = terraformResources[kind] ?? assert.fail(kind);
      const { depends_on: _, ...own } = written;
      const values: Values = Object.fromEntries(
        Object.entries(own).map(([argument, value]) => [argument, value(resolve)]),
      );
      const { method = "POST", path } = resource.create(values);
      const { zone_id: __, account_id: ___, ...rest } = values;
      const created = await app.request(method, path, { body: resource.body?.(rest) ?? rest });
      assert.equal(created.status, 200, `${name}: ${created.text}`);
      const id = created.body.result.id as string;
      known.set(`${name}.id`, id);

      const readPath = resource.path?.(values, id) ?? `${path}/${id}`;
      const read = await app.request("GET", readPath);
      assert.equal(read.status, 200, `${name}: ${read.text}`);
      const shown = resource.shown?.(read.body.result) ?? read.body.result;
      const expected = resource.body === undefined || resource.shown !== undefined ? rest : {};
      for (const argument of resource.writeOnly ?? []) delete expected[argument];
      assertShows(shown, expected, name);
      for (const argument of resource.optional ?? []) {
        if (values[argument] === undefined)
          assert.equal(shown[argument] ?? null, null, `${name}.${argument}`);
      }
      if (resource.stays !== true) made.push({ name, path: readPath });
    }
    for (const { name, path } of made.toReversed()) {
      const { status, text } = await app.request("DELETE", path);
      assert.ok([200, 204].includes(status), `${name}: ${text}`);
    }
    assert.deepEqual((await app.request("GET", "/zones")).body.result, []);
  });

  test("are in Terraform's form", { skip: withoutTerraform }, () => {
    for (const input of texts) {
      const { status, stdout, stderr } = spawnSync("terraform", ["fmt", "-"], { input, encoding: "utf8" });
      assert.equal(status, 0, stderr);
      assert.equal(stdout, input);
    }
  });

  test("are applied, need no change then, and are destroyed", { skip: withoutProvider }, async (t) => {
    const app = await startExampleApp(t, engine);
    const directory = newDirectory(t);
    mkdirSync(directory, { recursive: true });
    const provider = `terraform {
  required_providers { cloudflare = { source = "cloudflare/cloudflare" } }
}
provider "cloudflare" {
  base_url = "${app.baseUrl}"
}
`;
    writeFileSync(join(directory, "main.tf"), provider + texts.join("\n"));
    writeFileSync(
      join(directory, "terraform.tfvars.json"),
      JSON.stringify({ ...variables, account_id: app.owner.accountId }),
    );
    for (const args of [
      ["init", `-plugin-dir=${pluginDirectory}`],
      ["apply", "-auto-approve"],
      ["plan", "-detailed-exitcode"],
      ["destroy", "-auto-approve"],
    ]) {
      const { code, output } = await runBeside(app, "terraform", [`-chdir=${directory}`, ...args], {
        CLOUDFLARE_API_TOKEN: ownerToken,
      });
      assert.equal(code, 0, output);
    }
  });
});

const startExampleApp = (t: TestContext, engine: Engine): Promise<TestApp> =>
  startTestApp(t, engine, { create_accounts: "owner" });

/** Shows that an answer has what the arguments say; it may have more. */
function assertShows(shown: unknown, expected: unknown, at: string): void {
  if (Array.isArray(expected)) {
    assert.ok(Array.isArray(shown), at);
    if (expected.length > 0) assert.equal(shown.length, expected.length, at);
    for (const [index, item] of expected.entries()) assertShows(shown[index], item, `${at}[${index}]`);
  } else if (typeof expected === "object" && expected !== null) {
    for (const [key, value] of Object.entries(expected)) {
      assertShows((shown as Values | undefined)?.[key], value, `${at}.${key}`);
    }
  } else assert.equal(shown, expected, at);
}
