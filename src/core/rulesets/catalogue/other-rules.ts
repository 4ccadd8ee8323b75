import type { CatalogueRule } from "./catalogue-rule.ts";

const leaked = "cf.waf.credential_check.username_and_password_leaked";
const posted = (path: string): string =>
  `http.request.method eq "POST" and lower(http.request.uri.path) contains "${path}" and ${leaked}`;

/** Sign-in forms of widely used software; the credentials sent there are checked against leaked ones. */
export const exposedCredentialRules: readonly CatalogueRule[] = [
  credentialRule("df6520ef0484cb472317b5f0eb6b9c1c", "WordPress", "wordpress", posted("/wp-login.php")),
  credentialRule("efdf9b2e491f2f585ad39b758c1ab8f0", "Joomla", "joomla", posted("/administrator/index.php")),
  credentialRule("f6f05f9697d106af238fff787806ae4d", "Drupal", "drupal", posted("/user/login")),
  credentialRule("9a8f3f88850dd92971afd0e6709b59a5", "Ghost", "ghost", posted("/ghost/api/admin/session")),
  credentialRule(
    "c0472295fb0cc973e8ce9995cfffd30c",
    "Magento",
    "magento",
    posted("/customer/account/loginpost"),
  ),
  credentialRule("0349272358d8fa8945af0c2f3cb5383e", "Plone", "plone", posted("/login_form")),
  credentialRule(
    "e292ac2448ed6129b9e344ebaf751771",
    "Microsoft Exchange",
    "exchange",
    posted("/owa/auth.owa"),
  ),
  credentialRule(
    "2baf96c6ef2f378f87a5f1826f8e229c",
    "any form",
    "generic-form",
    `http.request.method eq "POST" and http.request.body.mime eq "application/x-www-form-urlencoded" and ${leaked}`,
  ),
  credentialRule(
    "575103688e21af831a3a48af47232913",
    "any JSON",
    "generic-json",
    `http.request.method eq "POST" and http.request.body.mime eq "application/json" and ${leaked}`,
  ),
];

function credentialRule(id: string, what: string, category: string, expression: string): CatalogueRule {
  return {
    id,
    description: `Exposed credentials - Sign-in by ${what}`,
    categories: [category],
    action: "rewrite",
    action_parameters: { headers: { "Exposed-Credential-Check": { operation: "set", value: "1" } } },
    expression,
  };
}

/** For zones on every plan: attacks on very many sites at once. */
export const freeRules: readonly CatalogueRule[] = [
  {
    id: "c200fabcdb555ec6af40795235d95694",
    description: "Log4j - Look-up in a header - CVE:CVE-2021-44228",
    categories: ["log4j", "rce", "broad"],
    expression: 'any(lower(http.request.headers.values[*])[*] contains "${jndi:")',
  },
  {
    id: "bd68dabce2b9b7e097c9ec25bff43503",
    description: "Shellshock - CVE:CVE-2014-6271",
    categories: ["rce", "broad"],
    expression: 'any(http.request.headers.values[*] contains "() {")',
  },
  {
    id: "e1e3374d8d3c826f2ccc431c33e38f36",
    description: "React Server Components - Deserialization - CVE:CVE-2025-55182",
    categories: ["nextjs", "rce"],
    expression:
      'http.request.method eq "POST" and len(http.request.headers["next-action"][0]) gt 0 and http.request.body.raw contains "__proto__"',
  },
];

/** Data that should not leave a site. */
export const sensitiveDataRules: readonly CatalogueRule[] = [
  {
    id: "60b50323983d9d3bb6c597b8730fcccb",
    description: "Sensitive data - Response of a database dump",
    categories: ["database", "sensitive-data"],
    action: "log",
    expression:
      'http.response.code eq 200 and http.response.content_type.media_type in {"application/sql" "application/x-sql"}',
  },
  {
    id: "b7196674e7380a80a1cca498e36237b0",
    description: "Sensitive data - Response of a private key",
    categories: ["secrets", "sensitive-data"],
    action: "log",
    expression:
      'http.response.code eq 200 and http.response.content_type.media_type in {"application/x-pem-file" "application/pkcs8"}',
  },
];

/** Floods of HTTP requests. */
export const httpFloodRules: readonly CatalogueRule[] = [
  {
    id: "7463d85f9bd92d9bce4d75d8dbd9ec40",
    description: "HTTP requests by clients that name no browser",
    categories: ["generic"],
    action: "ddos_dynamic",
    expression: 'http.user_agent eq "" and not any(http.request.headers.names[*] eq "accept")',
  },
  {
    id: "7b34390fe19b05ba00c58e3093777e98",
    description: "HTTP requests of known flooding tools",
    categories: ["botnets"],
    action: "ddos_dynamic",
    expression: 'lower(http.user_agent) matches "goldeneye|hulk|loic|hoic|slowloris|torshammer"',
  },
];

/** Addresses are brought into one form before anything else looks at them. */
export const normalizationRules: readonly CatalogueRule[] = [
  {
    id: "e08a56aae0f1c087ccde62391aa499bf",
    description: "Normalize the path of the address",
    categories: ["normalization"],
    action: "rewrite",
    expression: "true",
  },
];

/** Automated clients that say so, or that behave like it. */
export const likelyBotRules: readonly CatalogueRule[] = [
  {
    id: "49175bd43892b19ed8930163740be9a1",
    description: "Likely bots",
    categories: ["bots"],
    action: "managed_challenge",
    expression: "cf.bot_management.score in {2..29} and not cf.bot_management.verified_bot",
  },
];

export const definiteBotRules: readonly CatalogueRule[] = [
  {
    id: "e208aee15a23b15a70107bcb3e7e6ee1",
    description: "Definite bots",
    categories: ["bots"],
    action: "managed_challenge",
    expression: "cf.bot_management.score eq 1 and not cf.bot_management.verified_bot",
  },
];
