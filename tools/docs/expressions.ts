import { shownValue, valueOfField } from "../../src/core/expression/field-values.ts";
import { fields, type FieldDefinition } from "../../src/core/expression/fields.ts";
import { functions, type FunctionDefinition, type Parameter } from "../../src/core/expression/functions.ts";
import { ruleLimits } from "../../src/core/expression/limits.ts";
import {
  bodyPhases,
  packetPhases,
  responsePhases,
  transformPhases,
  type Phase,
  type Plan,
} from "../../src/core/expression/phases.ts";
import { regexPlan } from "../../src/core/expression/parser.ts";

/** `docs/expressions.md`: the language, with the fields, functions and limits that the code has. */
export function expressionsPage(): string {
  return `# Filter expressions

<!-- Made by \`npm run docs\`. -->

A filter expression is true or false for a request. Rules and filters have one, and so do rewrites, whose expressions give
a value. \`zoneward expression check\` says whether an expression is valid, \`zoneward expression explain\` what it evaluates to
for a request, and why:

\`\`\`console
$ echo '{"http.host": "www.example.com", "ip.src": "192.0.2.7"}' |
    npm run --silent zoneward -- expression explain 'http.host wildcard "*.example.com" and not ip.src in {10.0.0.0/8}'
true
  true  http.host wildcard "*.example.com"
      http.host: "www.example.com"
  false ip.src in {10.0.0.0/8}
      ip.src: "192.0.2.7"
\`\`\`

[test/vectors/expression](../test/vectors/expression/README.md) defines the language by nearly a thousand cases, in a form
that other implementations can read.

## The language

| | |
| --- | --- |
| Logic | \`not\` \`!\`, \`and\` \`&&\`, \`xor\` \`^^\`, \`or\` \`\\|\\|\`, from the strongest to the weakest, and parentheses. \`not\` applies to the one operand after it |
| Strings | \`eq\` \`==\`, \`ne\` \`!=\`, \`lt\` \`<\`, \`le\` \`<=\`, \`gt\` \`>\`, \`ge\` \`>=\`, \`contains\`, \`matches\` \`~\`, \`wildcard\`, \`strict wildcard\`, \`in\` |
| Integers | the same orderings, \`in\`, and \`bitwise_and\` \`&\`, which is true if the result is not 0 |
| Addresses | the same orderings and \`in\`. Addresses of different families are unequal, and have no order |
| Booleans | a field alone: \`ssl\`, \`not ssl\`. \`true\` and \`false\` are whole expressions or operands |
| Sets | \`in {"a" "b"}\`, \`in {80 8000..8099}\`, \`in {192.0.2.1 192.0.2.0/24 ::1..::9}\`; a named list: \`in $office\` |
| Arrays and maps | \`array[0]\`, \`map["key"]\`; \`[*]\` stands for each element inside \`any(...)\` and \`all(...)\`: \`any(lower(http.request.headers.names[*])[*] eq "x-test")\` |

- A string is octets: \`"..."\` with \`\\"\`, \`\\\\\`, \`\\xHH\` and \`\\OOO\`; raw as \`r"..."\` or \`r#"..."#\`; in hexadecimal as
  \`61:62:63\`. Text stands for its UTF-8 octets, and \`len\` counts those. Case matters.
- An integer is decimal, hexadecimal (\`0x1F\`), or octal after a leading 0; it has 64 bits.
- In a wildcard, \`*\` matches any octets; \`\\*\` and \`\\\\\` are a star and a backslash. It must match the whole value;
  \`wildcard\` ignores the case of ASCII letters.
- Regular expressions are those of [Rust's \`regex\`](https://docs.rs/regex/latest/regex/#syntax) over octets, without Unicode
  unless \`(?u)\` turns it on. They always take time in proportion to the text.
- White space is spaces and line breaks, not tabs. There are no comments. Words must be in lower case.
- A value that the request does not have, such as an absent header or an array element past the end, fails every comparison,
  even \`ne\`. A function of a missing value is missing, and \`any\` and \`all\` of it are false.

## Errors

An invalid expression is refused with the place (line and column, in octets), the line, and what is wrong:

\`\`\`text
Filter parsing error (1:11):
ip.src == 34
          ^^ couldn't parse address in network: invalid IP address syntax
\`\`\`

Features that a phase or plan does not have are refused in the same form.

## Limits

| | Most |
| --- | --- |
| Octets of an expression, without the white space around it | ${shown(ruleLimits.octetsMax)} |
| Parentheses, \`not\`, calls, \`any\` and \`all\` inside each other | ${shown(ruleLimits.nestingMax)} |
| Regular expressions | ${shown(ruleLimits.regexesMax)} |
| Parts of all regular expressions, with counted repetitions written out: \`a{50}\` has 50 | ${shown(ruleLimits.regexPartsMax)} |
| Steps on the longest request: parts of regular expressions, and functions, times the octets of the fields that they read (128 KiB of a body, 32 KiB of others) | ${shown(ruleLimits.unitsMax)} |
| Stars in one wildcard | ${shown(ruleLimits.wildcardStarsMax)} |
| Calls of \`regex_replace\` and \`wildcard_replace\` together | 1 |

\`matches\` needs the ${titleOf(regexPlan)} plan.

## Functions

An argument is a field or a call, or a \`literal\` written in the expression, or \`any\` of these. Arguments in brackets are
optional; \`…\` stands for more arguments like the last.

| Function | Gives | Phases | Plan |
| --- | --- | --- | --- |
| \`any(…)\`, \`all(…)\` | \`Bool\` | all | all |
${functions.map(functionRow).join("\n")}

## Fields

At the edge, by the judge, in traces and in replays a field is real (it tells of the request) or neutral: the same for every request, for the
reason that is given. A rule that names a neutral field is saved, and \`messages\` of the answer say so. No field of this table is refused when a
rule is saved, but where its phase or plan does not have it.

| Field | Type | Phases | Plan | Value |
| --- | --- | --- | --- | --- |
${fields.map((field) => `| \`${field.name}\`${field.replacedBy === undefined ? "" : `, deprecated: \`${field.replacedBy}\``} | \`${field.type}\` | ${phasesOf(field.phases)} | ${planOf(field.plan)} | ${valueHere(field)} |`).join("\n")}

## Phases

The \`counting_expression\` of a rate limit may also use response fields.

| In the tables above | Phases |
| --- | --- |
| body | ${namesOf(bodyPhases)} |
| response | ${namesOf(responsePhases)} |
| transform | ${namesOf(transformPhases)} |
| packets | ${namesOf(packetPhases)} |
`;
}

function valueHere(field: FieldDefinition): string {
  const { otherwise, neutral, told } = valueOfField(field);
  if (neutral !== undefined && otherwise !== undefined)
    return `neutral: ${typeof otherwise === "object" ? "" : "always "}${shownCode(shownValue(otherwise))}, as ${neutral}`;
  return told === undefined ? "real" : `real ${told}`;
}

const shownCode = (value: string): string => (value === "empty" ? value : `\`${value}\``);

function functionRow(definition: FunctionDefinition): string {
  const { name, parameters, optional = [], rest, returns, phases, plan } = definition;
  const parts = [
    ...parameters.map(shownParameter),
    ...optional.map((parameter) => `[${shownParameter(parameter)}]`),
    ...(rest === undefined ? [] : ["…"]),
  ];
  const gives = returns === undefined ? "the type of the first" : `\`${returns}\``;
  return `| \`${name}(${parts.join(", ")})\` | ${gives} | ${phasesOf(phases)} | ${planOf(plan)} |`;
}

const kindWords = { Literal: "literal", Field: "", Either: "any" } as const;

function shownParameter({ name, kind, types = [] }: Parameter): string {
  return `${name}: ${[kindWords[kind], types.join(" or ")].filter((word) => word !== "").join(" ")}`;
}

const groups: readonly (readonly [name: string, phases: readonly Phase[]])[] = [
  ["body", bodyPhases],
  ["response", responsePhases],
  ["transform", transformPhases],
  ["packets", packetPhases],
];

function phasesOf(phases: readonly Phase[] | undefined): string {
  if (phases === undefined) return "all";
  const group = groups.find(([, members]) => members.every((phase) => phases.includes(phase)));
  if (group === undefined) return namesOf(phases);
  const [name, members] = group;
  const others = phases.filter((phase) => !members.includes(phase));
  return [name, ...(others.length === 0 ? [] : [namesOf(others)])].join(", ");
}

function namesOf(phases: readonly Phase[]): string {
  return phases.map((phase) => `\`${phase}\``).join(", ");
}

function planOf(plan: Plan | undefined): string {
  return plan === undefined ? "all" : titleOf(plan);
}

function titleOf(plan: Plan): string {
  return plan.charAt(0).toUpperCase() + plan.slice(1);
}

function shown(limit: number): string {
  return limit.toLocaleString("en");
}
