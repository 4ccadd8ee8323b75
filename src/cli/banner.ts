import type { App } from "../server/app.ts";
import { locationOf, nameOf } from "../process/open-store.ts";
import type { Config } from "../config/settings.ts";

type Shown = Pick<
  App,
  | "baseUrl"
  | "gatewayUrl"
  | "dnsAddresses"
  | "edgeHttpAddresses"
  | "edgeHttpsAddresses"
  | "edgeJudgeAddresses"
  | "developmentNetworks"
  | "owner"
  | "dashboardUrl"
  | "signInLink"
  | "authorityFile"
>;

/**
 * The text that a start prints on standard output: the URL of the API, its owner, and a first request to
 * paste. A key that was just generated is shown here and nowhere else.
 */
export function banner(app: Shown, config: Config): string {
  const { baseUrl, dnsAddresses, owner, dashboardUrl, signInLink, authorityFile } = app;
  const edgeUrls = [
    ...app.edgeHttpAddresses.map((address) => `http://${address}`),
    ...app.edgeHttpsAddresses.map((address) => `https://${address}`),
  ];
  const rows = [
    ["Base URL", baseUrl],
    ...(dashboardUrl === undefined ? [] : [["Dashboard", dashboardUrl]]),
    ["Account id", owner.accountId],
    ["Owner", owner.email],
    ["Global API Key", keyRow(owner.newKey, config)],
    ...(signInLink === undefined ? [] : [["First sign-in", `${signInLink}  (once, within 24 hours)`]]),
    ["Data", placeOf(config)],
    ["Gateway", gatewayRow(app)],
    ...(dnsAddresses.length === 0 ? [] : [["Name server", dnsAddresses.join(", ")]]),
    ...(edgeUrls.length === 0 ? [] : [["Edge", edgeUrls.join(", ")]]),
    ...(app.edgeJudgeAddresses.length === 0 ? [] : [["Edge's judge", app.edgeJudgeAddresses.join(", ")]]),
    ...(config.test_controls ? [["Test controls", new URL("/test/v1", baseUrl).href]] : []),
    ...(authorityFile === undefined ? [] : [["CA certificate", authorityFile]]),
  ];
  const lines = rows.map(([label = "", value = ""]) => `  ${label.padEnd(15)} ${value}`);
  return `
Zoneward is ready.

${lines.join("\n")}
${authorityFile === undefined ? "" : trustAdvice(authorityFile)}
Try it:

  ${firstRequest(app)}

`;
}

function keyRow(newKey: string | undefined, config: Config): string {
  if (newKey !== undefined) return `${newKey}  (shown once, not stored)`;
  return config.owner_key === undefined ? "as shown at the first start" : "as preset by owner_key";
}

/** Shows the chains of the gateway. A development chain with the name of a public one must not be mistaken for it. */
function gatewayRow({ gatewayUrl, developmentNetworks: networks }: Shown): string {
  const caution =
    networks.length === 0
      ? ""
      : `  (${networks.join(", ")} is a development chain of this server, not the public one)`;
  return `${gatewayUrl}/v1/{network}${caution}`;
}

function placeOf(config: Config): string {
  if (config.ephemeral) return "in memory, forgotten on exit";
  return config.database === undefined ? config.data : nameOf(locationOf(config));
}

function trustAdvice(authorityFile: string): string {
  return `
Clients must trust the CA certificate. For Node.js:

  export NODE_EXTRA_CA_CERTS=${shellWord(authorityFile)}
`;
}

function firstRequest({ baseUrl, owner, authorityFile }: Shown): string {
  const curl = authorityFile === undefined ? "curl" : `curl --cacert ${shellWord(authorityFile)}`;
  // The pasted request must need no secret, where only the operator knows the secret.
  if (owner.newKey === undefined) return `${curl} ${shellWord(`${baseUrl}/ips`)}`;
  const headers = [`X-Auth-Email: ${owner.email}`, `X-Auth-Key: ${owner.newKey}`];
  return `${curl} ${headers.map((header) => `-H ${shellWord(header)}`).join(" ")} ${shellWord(`${baseUrl}/zones`)}`;
}

/** Quotes a text for POSIX shells. */
function shellWord(text: string): string {
  return /^[\w./:@+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
