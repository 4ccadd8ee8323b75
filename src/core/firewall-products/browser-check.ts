import { parseIpRange, isInRange } from "../net/ip-range.ts";
import { type RequestContext, textOf } from "../expression/context.ts";
import { addressOf, type ProductVerdict } from "./product.ts";

/** The beginnings of user agents of programs that collect addresses or post advertisements. */
const spammers = [
  "atomic_email_hunter",
  "cherrypicker",
  "contactbot",
  "ecollector",
  "email extractor",
  "emailcollector",
  "emailsiphon",
  "emailwolf",
  "extractorpro",
  "missigua",
  "mozilla/3.0 (compatible; indy library)",
  "psycheclone",
  "webbandit",
  "webemailextrac",
  "xrumer",
];

const ofSpammer = new RegExp(`^(?:${spammers.map((name) => RegExp.escape(name)).join("|")})`, "i");

/** The addresses of the machine itself, from which it is checked and tried out. */
const ownMachine = ["127.0.0.0/8", "::1"].flatMap((range) => parseIpRange(range) ?? []);

/**
 * The Browser Integrity Check: blocks a request without a `User-Agent`, or with one that no browser and no
 * honest program sends. A missing header counts only if `hasAllHeaders`. Requests of the machine itself pass.
 */
export function checkBrowser(request: RequestContext, hasAllHeaders: boolean): ProductVerdict | undefined {
  const issue = issueIn(textOf(request, "http.user_agent").trim(), hasAllHeaders);
  if (issue === undefined) return undefined;
  const address = addressOf(request);
  if (address !== undefined && ownMachine.some((range) => isInRange(address, range))) return undefined;
  return { ruleId: "bic", description: `Browser Integrity Check: ${issue}`, action: "block", skips: [] };
}

function issueIn(userAgent: string, hasAllHeaders: boolean): string | undefined {
  if (userAgent === "") return hasAllHeaders ? "no User-Agent" : undefined;
  if (!/[a-z]/i.test(userAgent)) return "a User-Agent without a name";
  if (/^user-agent:/i.test(userAgent)) return "a User-Agent that repeats the name of the header";
  if (/<a\b|\[url\b/i.test(userAgent)) return "a link in the User-Agent";
  return ofSpammer.test(userAgent) ? "the User-Agent of a spammer" : undefined;
}
