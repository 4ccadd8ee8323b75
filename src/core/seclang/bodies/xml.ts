import { decodeHtmlEntities } from "../transform/escapes.ts";

/** What rules see of an XML text. */
export interface XmlValues {
  /** `/*`: all text, in order. */
  readonly text: string;
  /** `//@*`: the values of all attributes. */
  readonly attributes: readonly string[];
}

const token =
  /<!--[^]*?-->|<!\[CDATA\[([^]*?)\]\]>|<\?[^]*?\?>|<![^>]*>|<\/([^\s>]+)\s*>|<([^\s/>!?]+)((?:\s+[^\s=/>]+\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*(\/?)>|([^<]+)/y;
const attribute = /=\s*(?:"([^"]*)"|'([^']*)')/g;

/** Reads an XML text. Undefined if it is not well-formed. Entities of a document type are not expanded. */
export function readXml(text: string): XmlValues | undefined {
  const open: string[] = [];
  const texts: string[] = [];
  const attributes: string[] = [];
  let hasRoot = false;
  token.lastIndex = 0;
  while (token.lastIndex < text.length) {
    const [found, data, closed, opened, written = "", empty, plain] = token.exec(text) ?? [];
    if (found === undefined) return undefined;
    if (data !== undefined) texts.push(data);
    if (plain !== undefined && open.length > 0) texts.push(decodeHtmlEntities(plain));
    if (closed !== undefined && open.pop() !== closed) return undefined;
    if (opened === undefined) continue;
    hasRoot = true;
    if (empty !== "/") open.push(opened);
    for (const [, double, single = ""] of written.matchAll(attribute)) {
      attributes.push(decodeHtmlEntities(double ?? single));
    }
  }
  return hasRoot && open.length === 0 ? { text: texts.join(""), attributes } : undefined;
}
