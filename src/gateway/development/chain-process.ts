import { fork } from "node:child_process";

import { LibraryMissing } from "./development-library.ts";

/** A request of JSON-RPC for the process of a chain, which is opened with the first. */
export interface ToChain {
  readonly id: number;
  readonly chainId: number;
  readonly request: string;
}

export type FromChain =
  | { readonly kind: "answer"; readonly id: number; readonly text: string }
  | { readonly kind: "failed" | "library missing"; readonly id: number; readonly reason: string }
  | { readonly kind: "out of memory" };

/** The library on a process of its own. */
export interface ChainProcess {
  /** The answer to a request. Errors: `LibraryMissing` and `ChainEnded`. */
  readonly ask: (request: string) => Promise<string>;
  readonly hasEnded: () => boolean;
  readonly end: () => void;
}

/** Bounds of one request; the first starts the process. */
export const chainLimits = {
  startMs: 60_000,
  askMs: 5_000,
  memoryOctets: 1_024 * 1_024 * 1_024,
  heapMegabytes: 512,
} as const;

/** The process of the chain has ended, and with it whatever was asked of it. */
export class ChainEnded extends Error {
  override readonly name = "ChainEnded";
}

interface Waiting {
  readonly resolve: (text: string) => void;
  readonly reject: (error: Error) => void;
  readonly deadline: NodeJS.Timeout;
}

const program = new URL("./chain-process.worker.ts", import.meta.url);

/**
 * Starts a process that ends with this one, takes a bounded amount of memory, and answers each request in time or ends.
 */
export function startChainProcess(chainId: number): ChainProcess {
  const { NAPI_RS_NATIVE_LIBRARY_PATH: library } = process.env;
  const child = fork(program, [String(chainLimits.memoryOctets)], {
    execArgv: ["--expose-gc", `--max-old-space-size=${chainLimits.heapMegabytes}`],
    // Nothing of the server's environment, which may hold secrets.
    env: library === undefined ? {} : { NAPI_RS_NATIVE_LIBRARY_PATH: library },
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  const waiting = new Map<number, Waiting>();
  let ended: ChainEnded | undefined;
  let lastId = 0;
  let hasAnswered = false;
  const endFor = (reason: string): void => {
    if (ended !== undefined) return;
    ended = new ChainEnded(reason);
    child.kill("SIGKILL");
    for (const { reject, deadline } of waiting.values()) {
      clearTimeout(deadline);
      reject(ended);
    }
    waiting.clear();
  };
  const take = (id: number): Waiting | undefined => {
    const taken = waiting.get(id);
    clearTimeout(taken?.deadline);
    waiting.delete(id);
    return taken;
  };
  child.on("message", (message: FromChain) => {
    if (message.kind === "out of memory") endFor("it took more memory than it may");
    else if (message.kind === "answer") take(message.id)?.resolve(message.text);
    else if (message.kind === "failed") take(message.id)?.reject(new Error(message.reason));
    else take(message.id)?.reject(new LibraryMissing(message.reason));
    hasAnswered = true;
  });
  child.on("error", (error) => endFor(error.message));
  child.on("exit", (code, signal) => endFor(`its process ended (${signal ?? code})`));
  // The child keeps nothing alive: a server that closes ends it.
  child.unref();
  child.channel?.unref();
  return {
    ask: (request) =>
      new Promise((resolve, reject) => {
        if (ended !== undefined) return reject(ended);
        const id = (lastId += 1);
        const msMax = hasAnswered ? chainLimits.askMs : chainLimits.startMs;
        const deadline = setTimeout(() => endFor(`a call took longer than ${msMax / 1_000} seconds`), msMax);
        waiting.set(id, { resolve, reject, deadline });
        child.send({ id, chainId, request } satisfies ToChain, (error) => {
          if (error !== null) endFor(error.message);
        });
      }),
    hasEnded: () => ended !== undefined,
    end: () => endFor("it was closed"),
  };
}
