import { placeWords, type InForce } from "../../src/core/in-force/in-force.ts";
import { productsInForce } from "../../src/core/in-force/products.ts";
import {
  actionsInForce,
  configurationInForce,
  managedRulesetsInForce,
  pageRuleActionsInForce,
  phasesInForce,
} from "../../src/core/in-force/rules.ts";
import { settingsInForce } from "../../src/core/in-force/settings.ts";
import { ManagedRulesets } from "../../src/core/judging/managed-rulesets.ts";

/** `docs/in-force.md`: what of all that can be set takes effect, and where. */
export function inForcePage(): string {
  return `# What is in force

<!-- Made by \`npm run docs\`. -->

Everything on this page can be set as in the public service, but for what is refused. Not all of it takes effect here:

| | |
| --- | --- |
| ${placeWords.edge} | [the edge](operating/edge.md) acts by it, and so do traces and replays. [The judge](operating/edge-judge.md#what-they-cannot-carry) does where it concerns requests and its proxy can carry it out |
| ${placeWords.dns} | [the name server](operating/name-servers.md) acts by it |
| ${placeWords.api} | the API answers or permits by it |
| ${placeWords.stored} | it is checked, stored and answered, and does nothing else. Of settings, rules and page rules \`messages\` of answers say so |
| ${placeWords.refused} | 400 code 7000: there is no such operation |

Edge and name server are off until [\`edge\`](operating/settings.md#edge) and [\`dns\`](operating/settings.md#dns) are set. [divergences.md](divergences.md) says how
what is in force differs from the public service.

## Products

| Product | Here | |
| --- | --- | --- |
${productsInForce.map((row) => line(row.name, row)).join("\n")}

## Settings of a zone

${table("Setting", settingsInForce)}

## Phases of rulesets

${table("Phase", phasesInForce)}

## Actions of rules

A rule is in force where its phase and its action are.

${table("Action", actionsInForce)}

## Parameters of \`set_config\`

${table("Parameter", configurationInForce)}

## Managed rulesets

| Ruleset | Here | |
| --- | --- | --- |
${Object.entries(managedRulesetsInForce)
  .map(([id, row]) => line(`${nameOf(id)} (\`${id}\`)`, row))
  .join("\n")}

## Actions of page rules

${table("Action", pageRuleActionsInForce)}

## Fields of expressions

[Each field](expressions.md#fields) is real or neutral, the same for every request.
`;
}

const managed = new ManagedRulesets("");

function nameOf(id: string): string {
  return managed.find(id)?.name.trim() ?? id;
}

function table(title: string, rows: Readonly<Record<string, InForce>>): string {
  const lines = Object.entries(rows).map(([name, row]) => line(`\`${name}\``, row));
  return [`| ${title} | Here | |`, "| --- | --- | --- |", ...lines].join("\n");
}

function line(name: string, { place, note = "" }: InForce): string {
  return `| ${name} | ${placeWords[place]} | ${note} |`;
}
