const replacement = "********";

const secretHeaders: ReadonlySet<string> = new Set([
  "authorization",
  "cookie",
  "proxy-authorization",
  "set-cookie",
  "x-auth-key",
  "x-auth-user-service-key",
]);

export function redactHeaders(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => {
      if (value === undefined) return [];
      const text = typeof value === "string" ? value : value.join(", ");
      return [[name, secretHeaders.has(name) ? replacement : text]];
    }),
  );
}

/** Forms of secrets: our tokens, Global API Keys, private keys as PEM. */
const secretForms = [
  /\b(?:zw|cfk)_[\w-]{37,}/g,
  /(?<![\w-])[0-9a-f]{37,45}(?![\w-])/g,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
] as const;

/** Members of JSON that hold a secret. */
const secretMembers =
  /("(?:api_key|client_secret|current_password|new_password|passphrase|password|private_key|secret|sign_in_link|token)"\s*:\s*")(?:[^"\\]|\\.)*/g;

/** The credentials that a request was sent with. */
function credentialsOf(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
): readonly string[] {
  const { authorization, "x-auth-key": key } = headers;
  const tokens = [authorization ?? []].flat().map((value) => value.replace(/^Bearer\s+/i, ""));
  return [...tokens, ...[key ?? []].flat()].filter((secret) => secret.length >= 8);
}

/** A body with its secrets replaced. `headers` are those of its request, whose credentials it may repeat. */
export function redactBody(
  body: string,
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
): string {
  const byName = body.replaceAll(secretMembers, `$1${replacement}`);
  const byForm = secretForms.reduce((text, form) => text.replaceAll(form, replacement), byName);
  return credentialsOf(headers).reduce((text, secret) => text.replaceAll(secret, replacement), byForm);
}
