import { decodeHtmlEntities } from "../transform/encodings.ts";

/** The contents of an XML text, as rules see them. */
export interface XmlValues {
  /** `/*`: all text, in order. */
  readonly text: string;
  /** `//@*`: the values of all attributes. */
  readonly attributes: readonly string[];
  readonly isWellFormed: boolean;
}

const token =
  /<!--[^]*?-->|<!\[CDATA\[([^]*?)\]\]>|<\?[^]*?\?>|<![^>]*>|<\/([^\s>]+)\s*>|<([^\s/>!?]+)((?:\s+[^\s=/>]+\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*(\/?)>|([^<]+)/y;
const attribute = /=\s*(?:"([^"]*)"|'([^']*)')/g;

/** Reads an XML text. Entities of a document type are not expanded. */
export function readXml(text: string): XmlValues {
  const open: string[] = [];
  const texts: string[] = [];
  const attributes: string[] = [];
  let [hasRoot, isBroken] = [false, false];
  token.lastIndex = 0;
  while (!isBroken && token.lastIndex < text.length) {
    const [found, data, closed, opened, written = "", empty, plain] = token.exec(text) ?? [];
    if (data !== undefined) texts.push(data);
    if (plain !== undefined && open.length > 0) texts.push(decodeHtmlEntities(plain));
    isBroken = found === undefined || (closed !== undefined && open.pop() !== closed);
    if (opened === undefined) continue;
    hasRoot = true;
    if (empty !== "/") open.push(opened);
    for (const [, double, single = ""] of written.matchAll(attribute)) {
      attributes.push(decodeHtmlEntities(double ?? single));
    }
  }
  const isWellFormed = !isBroken && hasRoot && open.length === 0;
  return { text: texts.join(""), attributes, isWellFormed };
}
