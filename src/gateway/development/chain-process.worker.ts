import { LibraryMissing, openProvider } from "./development-library.ts";
import type { FromChain, ToChain } from "./chain-process.ts";

/**
 * Octets of memory in use above which an answer is followed by a collection: the library keeps traces of each step
 * until then.
 */
const collectedAbove = 256 * 1024 * 1024;
const watchMs = 20;

/**
 * A chain in this process. It ends with its parent, or when it takes more memory than it may (the argument, in octets).
 */
const [, , memoryMax = "0"] = process.argv;
const send = (message: FromChain): void => void process.send?.(message);

setInterval(() => {
  if (process.memoryUsage.rss() > Number(memoryMax)) send({ kind: "out of memory" });
}, watchMs).unref();

let opening: ReturnType<typeof openProvider> | undefined;

async function answer({ id, chainId, request }: ToChain): Promise<void> {
  try {
    const provider = await (opening ??= openProvider(chainId));
    const { data } = await provider.handleRequest(request);
    send({ kind: "answer", id, text: typeof data === "string" ? data : JSON.stringify(data) });
    if (process.memoryUsage.rss() > collectedAbove) globalThis.gc?.();
  } catch (error) {
    const isMissing = error instanceof LibraryMissing;
    const reason = error instanceof Error ? error.message : String(error);
    send({ kind: isMissing ? "library missing" : "failed", id, reason });
  }
}

process.on("message", (message: ToChain) => void answer(message));
process.on("disconnect", () => process.exit());
