import { sendRequests } from "./load.ts";
import { cpuMicroseconds, type ServerProcess } from "./process.ts";

/** One side of a comparison. */
export interface Contestant {
  readonly server: Pick<ServerProcess, "pid" | "port">;
  readonly request: (n: number) => string | Buffer;
}

/** CPU microseconds a request, one figure a round. */
export type Costs = readonly number[];

export interface RoundOptions {
  readonly rounds: number;
  readonly requests: number;
  readonly warmUp: number;
}

/**
 * Measures all contestants in turns, each round from the next of them (A B C, B C A, ...), so that what disturbs the machine
 * disturbs them alike and none is always measured behind the same other.
 * `refused` counts the answers that were not 2xx, warm-up included.
 */
export async function measureInTurns<Name extends string>(
  contestants: Readonly<Record<Name, Contestant>>,
  { rounds, requests, warmUp }: RoundOptions,
): Promise<{ readonly costs: Readonly<Record<Name, Costs>>; readonly refused: number }> {
  const entries = Object.entries(contestants) as [Name, Contestant][];
  const costs = Object.fromEntries(entries.map(([name]) => [name, [] as number[]])) as Record<Name, number[]>;
  let refused = 0;
  const send = async ({ server, request }: Contestant, count: number, first: number): Promise<void> => {
    const load = { port: server.port, requests: count, request: (n: number) => request(first + n) };
    const answers = await sendRequests(load);
    refused += answers.refused;
  };

  for (const [, contestant] of entries) await send(contestant, warmUp, 0);
  for (let round = 0; round < rounds; round += 1) {
    const leader = round % entries.length;
    for (const [name, contestant] of [...entries.slice(leader), ...entries.slice(0, leader)]) {
      const before = cpuMicroseconds(contestant.server.pid);
      await send(contestant, requests, warmUp + round * requests);
      costs[name].push((cpuMicroseconds(contestant.server.pid) - before) / requests);
    }
  }
  return { costs, refused };
}

/** Round by round, how many times as much as the peer. */
export function ratios(ours: Costs, peers: Costs): number[] {
  return ours.map((cost, round) => cost / (peers[round] ?? Number.NaN));
}
