import { sendRequests, type LoadResult } from "./load.ts";
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
  /** The same as of `sendRequests`. */
  readonly connections?: number;
}

/** Figures of each round; the costs are CPU microseconds of the server that was asked, without those behind it. */
interface Measured<Name extends string> {
  readonly costs: Readonly<Record<Name, Costs>>;
  readonly loads: Readonly<Record<Name, readonly LoadResult[]>>;
  /** Answers that were not 2xx, warm-up included. */
  readonly refused: number;
}

/**
 * Measures all contestants in turns, each round from the next of them (A B C, B C A, ...), so that what disturbs the
 * machine disturbs them alike and none is always measured behind the same other.
 */
export async function measureInTurns<Name extends string>(
  contestants: Readonly<Record<Name, Contestant>>,
  { rounds, requests, warmUp, ...load }: RoundOptions,
): Promise<Measured<Name>> {
  const entries = Object.entries(contestants) as [Name, Contestant][];
  const perName = <T>() =>
    Object.fromEntries(entries.map(([name]) => [name, [] as T[]])) as Record<Name, T[]>;
  const costs = perName<number>();
  const loads = perName<LoadResult>();
  let refused = 0;
  const send = async ({ server, request }: Contestant, count: number, first: number): Promise<LoadResult> => {
    const wanted = {
      ...load,
      port: server.port,
      requests: count,
      request: (n: number) => request(first + n),
    };
    const result = await sendRequests(wanted);
    refused += result.refused;
    return result;
  };

  for (const [, contestant] of entries) await send(contestant, warmUp, 0);
  for (let round = 0; round < rounds; round += 1) {
    const leader = round % entries.length;
    for (const [name, contestant] of [...entries.slice(leader), ...entries.slice(0, leader)]) {
      const before = cpuMicroseconds(contestant.server.pid);
      loads[name].push(await send(contestant, requests, warmUp + round * requests));
      costs[name].push((cpuMicroseconds(contestant.server.pid) - before) / requests);
    }
  }
  return { costs, loads, refused };
}

/** Round by round, how many times as much as the peer. */
export function ratios(ours: Costs, peers: Costs): number[] {
  return ours.map((cost, round) => cost / (peers[round] ?? Number.NaN));
}
