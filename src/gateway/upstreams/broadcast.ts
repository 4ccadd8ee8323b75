import { chainCall, type ChainCall, type NodeAnswer } from "../chain-source.ts";
import { codes } from "../rpc/errors.ts";
import type { Member } from "./upstream-member.ts";

const alreadyKnown =
  /already (?:known|imported|exists)|known transaction|already in (?:the )?(?:mempool|pool)|ALREADY_EXISTS/i;
const alreadyKnownCode = 1000;
/** A blob transaction is sent with its blobs, which its hash does not cover (EIP-4844). */
const blobTransaction = /^0x03/i;

/**
 * Sends a signed transaction to several nodes at once and returns the answer of the first that accepts it, or already has
 * it. Returns undefined if no node answered: only then may it be sent again.
 */
export async function broadcast(
  call: ChainCall,
  members: readonly Member[],
  timeoutMs: number,
): Promise<NodeAnswer | undefined> {
  const refusals: NodeAnswer[] = [];
  const attempts = members.map(async (member) => {
    const answer = await member.send(call, timeoutMs);
    if (answer.errorCode === undefined) return answer;
    const hash = isAlreadyKnown(answer) ? await hashOf(call, member, timeoutMs) : undefined;
    if (hash !== undefined) return hash;
    refusals.push(answer);
    throw new Error("refused");
  });
  try {
    return await Promise.any(attempts);
  } catch {
    // An error of the transaction is more useful than one of a busy node.
    return refusals.find(({ errorCode }) => !isBusy(errorCode)) ?? refusals[0];
  }
}

function isBusy(errorCode: number | undefined): boolean {
  return errorCode === codes.internalError || errorCode === codes.limitExceeded;
}

function isAlreadyKnown({ errorCode, value }: NodeAnswer): boolean {
  const { message } = (value ?? {}) as { readonly message?: unknown };
  return errorCode === alreadyKnownCode || (typeof message === "string" && alreadyKnown.test(message));
}

/** A node that already has a transaction does not return its hash, but computes it from the bytes. */
async function hashOf(
  { params }: ChainCall,
  member: Member,
  timeoutMs: number,
): Promise<NodeAnswer | undefined> {
  const [bytes] = params;
  if (typeof bytes !== "string" || blobTransaction.test(bytes)) return undefined;
  const answer = await member.send(chainCall("web3_sha3", bytes), timeoutMs);
  return answer.errorCode === undefined ? answer : undefined;
}
