import type { ChainCall, NodeAnswer } from "../chain-source.ts";
import { codes } from "../rpc/json-rpc.ts";

/**
 * What to do with a node's answer. `good`: pass it on. `elsewhere`: another node may know more, and if none does, this
 * is the answer. `behind`: it would take a client back to before a block that it was told of.
 */
export type Verdict = "good" | "elsewhere" | "behind";

/** How far the chain reaches, as far as that matters to an answer. */
export interface KnownProgress {
  /** The highest block number that any client was told. */
  readonly tip: number;
  /** Newest block of the network. */
  readonly head: number | undefined;
  /** Newest block of the node that answers. */
  readonly nodeHead: number | undefined;
}

const transientCodes = new Set<number>([
  codes.internalError,
  codes.limitExceeded,
  codes.unavailable,
  codes.methodNotFound,
  codes.notSupported,
]);
/** Words between two others are counted: any number of them, looked for behind each first word, costs the square of it. */
const lacksData =
  /header not found|missing trie node|unknown block|block (?:\S+ )?not found|state (?:\S+ ){0,8}not available|pruned|not (?:yet )?synced|still syncing/i;

/** Judges an answer. A revert is an answer like any other: it would be the same everywhere. */
export function judge(call: ChainCall, answer: NodeAnswer, progress: KnownProgress): Verdict {
  if (answer.errorCode !== undefined) return judgeError(answer.errorCode, messageOf(answer.value));
  const number = announcedBlock(call, answer.value);
  if (number !== undefined) return number < progress.tip ? "behind" : "good";
  return isMissing(answer.value) && mayBeAhead(call, progress) ? "elsewhere" : "good";
}

function judgeError(code: number, message: string): Verdict {
  if (code === codes.reverted || /revert/i.test(message)) return "good";
  return transientCodes.has(code) || lacksData.test(message) ? "elsewhere" : "good";
}

function messageOf(error: unknown): string {
  const { message } = (error ?? {}) as { readonly message?: unknown };
  return typeof message === "string" ? message : "";
}

const newest = new Set<unknown>(["latest", "pending"]);

/** The block number by which a client would know how far the chain has come. */
export function announcedBlock({ method, params }: ChainCall, value: unknown): number | undefined {
  if (method === "eth_blockNumber") return quantityOf(value);
  if (method !== "eth_getBlockByNumber" || params[0] !== "latest") return undefined;
  return quantityOf((value as { readonly number?: unknown } | null)?.number);
}

function isMissing(value: unknown): boolean {
  return value === null || (Array.isArray(value) && value.length === 0);
}

/** Whether other nodes may have what this one lacks only because it has not come so far. */
function mayBeAhead({ params }: ChainCall, { head, nodeHead }: KnownProgress): boolean {
  if (head === undefined) return false;
  const asked = params.map(blockOf).find((block) => block !== undefined);
  // A block that others have cannot be missing, whatever is known of the node.
  if (typeof params[0] === "string" && asked !== undefined) return asked <= head;
  return nodeHead !== undefined && nodeHead < Math.min(asked ?? head, head);
}

/** The newest block that a parameter names. */
function blockOf(parameter: unknown): number | undefined {
  if (newest.has(parameter)) return undefined;
  if (typeof parameter === "string" && parameter.length <= 16) return quantityOf(parameter);
  const { toBlock } = (parameter ?? {}) as { readonly toBlock?: unknown };
  return quantityOf(toBlock);
}

function quantityOf(value: unknown): number | undefined {
  return typeof value === "string" && /^0x[0-9a-f]{1,13}$/i.test(value) ? Number(value) : undefined;
}
