import { contexts, tokenize, type Context, type Token } from "./tokens.ts";

/** Elements that run scripts, load resources, or change the meaning of the rest of a page. */
const activeTags: ReadonlySet<string> = new Set([
  "APPLET", "BASE", "COMMENT", "EMBED", "FRAME", "FRAMESET", "HANDLER", "IFRAME", "IMPORT", "ISINDEX", "LINK", "LISTENER",
  "META", "NOSCRIPT", "OBJECT", "SCRIPT", "STYLE", "VMLFRAME", "XML", "XSS",
]); // prettier-ignore

/** The condition under which the value of an attribute is dangerous. */
type Effect = "always" | "address" | "names-attribute";

const effects: ReadonlyMap<string, Effect> = new Map<string, Effect>([
  ["ACTION", "address"],
  ["ATTRIBUTENAME", "names-attribute"],
  ["BACKGROUND", "address"],
  ["BY", "address"],
  ["DATAFORMATAS", "always"],
  ["DATASRC", "always"],
  ["DYNSRC", "address"],
  ["FILTER", "always"],
  ["FOLDER", "address"],
  ["FORMACTION", "address"],
  ["FROM", "address"],
  ["HANDLER", "address"],
  ["HREF", "address"],
  ["LOWSRC", "address"],
  ["POSTER", "address"],
  ["SRC", "address"],
  ["STYLE", "always"],
  ["TO", "address"],
  ["VALUES", "address"],
]);

/** Enough of an address to tell its scheme. */
const schemeOctetsMax = 256;
/** The largest code that libinjection accepts in a character reference. */
const codeMax = 0x1000ff;
const activeScheme = /^(?:DATA|VIEW-SOURCE|JAVA|VBSCRIPT)/;

/**
 * Whether a value makes a browser run a script wherever a page contains it: `<svg onload=…>`, or `" onload=…
 * ` between quotes.
 */
export function isScriptInjection(value: string): boolean {
  return contexts.some((context) => mayRun(value, context));
}

function mayRun(value: string, context: Context): boolean {
  // Without these characters a value cannot leave its context.
  if (context === "text" ? !value.includes("<") : context !== "tag" && !value.includes(context)) return false;
  let attribute = "";
  for (const token of tokenize(value, context)) {
    if (token.kind === "attribute-name") attribute = token.text;
    else if (isActive(token, attribute)) return true;
  }
  return false;
}

/** Whether a token runs a script; a value of an attribute follows its name. */
function isActive({ kind, text }: Token, attribute: string): boolean {
  if (kind === "doctype") return true;
  if (kind === "tag") return isActiveTag(text);
  if (kind === "comment") return isActiveComment(text);
  return kind === "attribute-value" && isActiveValue(text, effectOf(attribute));
}

function isActiveValue(text: string, effect: Effect | undefined): boolean {
  if (effect === "address") return isActiveAddress(text);
  if (effect === "names-attribute") return effectOf(text) !== undefined;
  return effect === "always";
}

function isActiveTag(text: string): boolean {
  return activeTags.has(nameOf(text)) || /^(?:svg|xsl)/i.test(text);
}

function effectOf(text: string): Effect | undefined {
  const name = nameOf(text);
  if (/^ON[^]{3}/.test(name) || /^(?:XMLNS|XLINK)/.test(name)) return "always";
  return effects.get(name);
}

/**
 * Whether a comment can run a script: browsers of old ran conditional comments, and took a backquote for the
 * end.
 */
function isActiveComment(text: string): boolean {
  return text.includes("`") || /^(?:(?:\[if|xml).|import|entity)/is.test(text);
}

function isActiveAddress(text: string): boolean {
  const start = text.slice(0, schemeOctetsMax).replace(/^[\0- \x7f-\xff]+/, "");
  const decoded = start.replaceAll(
    /&#(?:[xX]0*([0-9a-fA-F]{1,6})|0*(\d{1,7}));?/g,
    (entity, hex?: string, decimal = "") => {
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
      return code > codeMax ? entity : String.fromCodePoint(code);
    },
  );
  return activeScheme.test(decoded.replaceAll(/[\0\n]/g, "").toUpperCase());
}

/** The name without octets 0, which browsers overlook. */
function nameOf(text: string): string {
  return text.replaceAll("\0", "").toUpperCase();
}
