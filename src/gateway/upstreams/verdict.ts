import type { ChainCall, NodeAnswer } from "../chain/chain-source.ts";
import { codes } from "../chain/errors.ts";

/**
 * Tells what to do with the answer of a node. `good`: return it. `incomplete`: ask another node, which may know more,
 * and return this answer if none does. `behind`: do not return it, as clients have seen a newer block.
 */
export type Verdict = "good" | "incomplete" | "behind";

/** The block numbers that an answer is judged by. */
export interface KnownBlocks {
  /** The highest number that any client was answered with. */
  readonly answered: number;
  readonly head: number | undefined;
  readonly nodeHead: number | undefined;
}

const transientCodes = new Set<number>([
  codes.internalError,
  codes.limitExceeded,
  codes.unavailable,
  codes.methodNotFound,
  codes.notSupported,
]);
/** Every repetition is bounded, so that matching takes linear time. */
const lacksData =
  /header not found|missing trie node|unknown block|block (?:\S+ )?not found|state (?:\S+ ){0,8}not available|pruned|not (?:yet )?synced|still syncing/i;

/** Judges an answer. A revert is good: every node would answer with it. */
export function verdictOn(call: ChainCall, answer: NodeAnswer, known: KnownBlocks): Verdict {
  if (answer.errorCode !== undefined) return verdictOnError(answer.errorCode, messageOf(answer.value));
  const number = newestBlockIn(call, answer.value);
  if (number !== undefined) return number < known.answered ? "behind" : "good";
  return isMissing(answer.value) && othersMayHave(call, known) ? "incomplete" : "good";
}

function verdictOnError(code: number, message: string): Verdict {
  if (code === codes.reverted || /revert/i.test(message)) return "good";
  return transientCodes.has(code) || lacksData.test(message) ? "incomplete" : "good";
}

function messageOf(error: unknown): string {
  const { message } = (error ?? {}) as { readonly message?: unknown };
  return typeof message === "string" ? message : "";
}

const newest = new Set<unknown>(["latest", "pending"]);

export function newestBlockIn({ method, params }: ChainCall, value: unknown): number | undefined {
  if (method === "eth_blockNumber") return quantityOf(value);
  if (method !== "eth_getBlockByNumber" || params[0] !== "latest") return undefined;
  return quantityOf((value as { readonly number?: unknown } | null)?.number);
}

function isMissing(value: unknown): boolean {
  return value === null || (Array.isArray(value) && value.length === 0);
}

/** Whether this node may lack a result only because it is behind other nodes. */
function othersMayHave({ params }: ChainCall, { head, nodeHead }: KnownBlocks): boolean {
  if (head === undefined) return false;
  const asked = params.map(blockOf).find((block) => block !== undefined);
  // A block up to the head exists, whatever is known of this node.
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
