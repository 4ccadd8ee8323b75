import { splitTokens } from "../character-string.ts";
import type { RdataInput, RecordType } from "../record-types.ts";
import { withoutFinalDot } from "../targets.ts";
import { withoutMnemonics } from "./mnemonics.ts";
import { absoluteName } from "./names.ts";

/** How a type's data in a zone file differs from the record's content. */
interface Layout {
  /** The priority is the first token in a file and not part of the content. */
  readonly hasPriority?: true;
  /** Index of the token that is a name: possibly relative in a file, and written with a final dot. */
  readonly nameAt?: number;
}

const layouts: Readonly<Partial<Record<RecordType, Layout>>> = {
  CNAME: { nameAt: 0 },
  HTTPS: { nameAt: 1 },
  MX: { hasPriority: true, nameAt: 0 },
  NAPTR: { nameAt: 5 },
  NS: { nameAt: 0 },
  PTR: { nameAt: 0 },
  SRV: { hasPriority: true, nameAt: 2 },
  SVCB: { nameAt: 1 },
  URI: { hasPriority: true },
};

/** The input of `parseRdata` for any type but TXT; relative names end in `origin`. */
export function readData(type: RecordType, tokens: readonly string[], origin: string): RdataInput {
  const { hasPriority, nameAt } = layouts[type] ?? {};
  const content = hasPriority ? tokens.slice(1) : [...withoutMnemonics(type, tokens)];
  const name = nameAt === undefined ? undefined : content[nameAt];
  if (nameAt !== undefined && name !== undefined)
    content[nameAt] = withoutFinalDot(absoluteName(name, origin));
  return { content: content.join(" "), ...(hasPriority && { priority: readPriority(tokens[0]) }) };
}

/** An invalid token is passed on, for `parseRdata` to refuse. */
function readPriority(token: string | undefined): number | string | undefined {
  return token !== undefined && /^\d+$/.test(token) ? Number(token) : token;
}

/** The data in a zone file, for any type but TXT. */
export function printData(type: RecordType, content: string, priority: number | undefined): string {
  const { hasPriority, nameAt } = layouts[type] ?? {};
  const data = nameAt === undefined ? content : withFinalDot(content, nameAt);
  return hasPriority ? `${priority} ${data}` : data;
}

function withFinalDot(content: string, nameAt: number): string {
  const tokens = splitTokens(content) ?? [];
  const isRelative = (token: string, index: number): boolean => index === nameAt && !token.endsWith(".");
  return tokens.map((token, index) => (isRelative(token, index) ? `${token}.` : token)).join(" ");
}
