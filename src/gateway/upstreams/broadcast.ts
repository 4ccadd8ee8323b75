import { chainCall, type ChainCall, type NodeAnswer } from "../chain-source.ts";
import type { Member } from "./upstream-member.ts";

const alreadyKnown =
  /already (?:known|imported|exists)|known transaction|already in (?:the )?(?:mempool|pool)|ALREADY_EXISTS/i;
const alreadyKnownCode = 1000;
/** A blob transaction travels in a wrapper, so that its hash is not that of its bytes (EIP-4844). */
const blobTransaction = /^0x03/i;

/**
 * Sends a signed transaction to several nodes at once. The first that takes it answers for all; one that has it already
 * has taken it too. Answers undefined where no node answered: then, and only then, it may be sent again.
 */
export async function broadcast(
  call: ChainCall,
  members: readonly Member[],
  timeoutMs: number,
): Promise<NodeAnswer | undefined> {
  const refusals: NodeAnswer[] = [];
  const taken = members.map(async (member) => {
    const answer = await member.send(call, timeoutMs);
    if (answer.errorCode === undefined) return answer;
    const hash = isAlreadyKnown(answer) ? await hashOf(call, member, timeoutMs) : undefined;
    if (hash !== undefined) return hash;
    refusals.push(answer);
    throw new Error("refused");
  });
  try {
    return await Promise.any(taken);
  } catch {
    // What is wrong with the transaction says more than that a node is busy.
    return refusals.find(({ errorCode }) => errorCode !== -32603 && errorCode !== -32005) ?? refusals[0];
  }
}

function isAlreadyKnown({ errorCode, value }: NodeAnswer): boolean {
  const { message } = (value ?? {}) as { readonly message?: unknown };
  return errorCode === alreadyKnownCode || (typeof message === "string" && alreadyKnown.test(message));
}

/** A node that knows a transaction does not say its hash, but every node can tell it from the bytes. */
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
