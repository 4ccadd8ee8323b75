import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import { dirname, join } from "node:path";
import type { TestContext } from "node:test";

import {
  newDirectory,
  newLocation,
  newSecretKeyFile,
  ownerEmail,
  ownerKey,
  ownerToken,
  until,
  type OneEngine,
} from "./harness.ts";
import { countConnections } from "./postgres.ts";

/** The program that an operator starts, below the directory of a bundled copy. */
export const bundledProgram = "bin/zoneward.js";
/** A process loads the bundle in a third of the time that it takes to load the sources. */
const programOfTests =
  process.env["TEST_BUNDLE"] === undefined
    ? join(import.meta.dirname, "../../src/main.ts")
    : join(process.env["TEST_BUNDLE"], bundledProgram);

interface SpawnOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /**
   * The file that starts Zoneward; without it that of the bundle of the tests, or of the sources where there is none.
   */
  readonly program?: string;
  /** Flags of Node.js beside the program. */
  readonly nodeFlags?: readonly string[];
  /** Most bytes that a file may grow to, as on a disk that is full. */
  readonly fileBytesMax?: number;
  /** The file that its standard error goes to, in place of `stderr`. */
  readonly stderrFile?: string;
  /** The rights of files hold for it, also where the tests run as root. */
  readonly isOrdinaryUser?: boolean;
}

export interface FinishedCommand {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A server in a process of its own, as an operator runs it. */
export interface SpawnedServer {
  readonly baseUrl: string;
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** Reads its standard error no longer: what it writes there fails. */
  readonly closeStderr: () => void;
  readonly isRunning: () => boolean;
  /** Sends the signal and does not wait. */
  readonly signal: (signal: NodeJS.Signals) => void;
  /** The exit code, or the signal that ended the process. */
  readonly ended: Promise<number | NodeJS.Signals>;
  /** Sends the signal and waits for the end. */
  readonly end: (signal: NodeJS.Signals) => Promise<number | NodeJS.Signals>;
}

/** Flags that give the owner the credentials of the harness. */
export const ownerFlags = [
  `--owner-email=${ownerEmail}`,
  `--owner-key=${ownerKey}`,
  `--owner-token=${ownerToken}`,
];

interface NewStore {
  readonly flags: readonly string[];
  /** The SQLite file where it is one. */
  readonly file: string | undefined;
  /** Until the database has done, or dropped, all that a killed server had asked of it. */
  readonly untilFree: () => Promise<void>;
}

/** A store that nobody has opened yet. */
export async function newStore(t: TestContext, engine: OneEngine): Promise<NewStore> {
  const location = await newLocation(t, engine);
  if (location.engine === "sqlite") {
    return {
      flags: [`--data=${dirname(location.file)}`],
      file: location.file,
      untilFree: () => Promise.resolve(),
    };
  }
  const data = newDirectory(t);
  const key = newSecretKeyFile(data);
  return {
    flags: [`--data=${data}`, `--database=${location.url}`, `--secret-key-file=${key}`],
    file: undefined,
    untilFree: () =>
      until("its connections are gone", async () => (await countConnections(location.url)) === 0),
  };
}

/** Runs `zoneward` with these arguments to its end. */
export async function runCommand(
  args: readonly string[],
  options: SpawnOptions = {},
): Promise<FinishedCommand> {
  const { child, stdout, stderr } = run(args, options);
  const [code] = (await once(child, "close")) as [number | null];
  return { code, stdout: stdout(), stderr: stderr() };
}

/** Runs `zoneward serve` on a free port until the test ends; the answer comes when it serves. */
export async function spawnServer(
  t: TestContext,
  args: readonly string[],
  options: SpawnOptions = {},
): Promise<SpawnedServer> {
  const { child, stdout, stderr } = run(["serve", "--port=0", ...args], options);
  const ended = once(child, "exit").then(
    ([code, endedBy]) => (code ?? endedBy ?? Number.NaN) as number | NodeJS.Signals,
  );
  const isRunning = (): boolean => child.exitCode === null && child.signalCode === null;
  t.after(async () => {
    child.kill("SIGKILL");
    await ended;
  });
  const isReady = (): boolean => {
    if (!isRunning()) throw new Error(`the server did not start: ${stderr()}`);
    return /^ {2}curl .*\n/m.test(stdout());
  };
  await until("the banner", isReady);
  return {
    baseUrl: /Base URL +(\S+)/.exec(stdout())?.[1] ?? "",
    stdout,
    stderr,
    closeStderr: () => void child.stderr.destroy(),
    isRunning,
    signal: (signal) => void child.kill(signal),
    ended,
    end: (signal) => {
      child.kill(signal);
      return ended;
    },
  };
}

/** An edge in a process of its own. */
export interface SpawnedEdge {
  readonly httpAddress: string;
  /** Ends it at once, as a loss of power does. */
  readonly kill: () => Promise<void>;
  /** Sends the signal and waits for the end; answers the exit code, or the signal that ended the process. */
  readonly end: (signal: NodeJS.Signals) => Promise<number | NodeJS.Signals>;
}

/** Runs `zoneward edge` until the test ends; the answer comes when it serves. */
export async function spawnEdge(t: TestContext, args: readonly string[]): Promise<SpawnedEdge> {
  const { child, stdout, stderr } = run(["edge", "--port=0", ...args], {});
  const ended = once(child, "exit");
  const end: SpawnedEdge["end"] = async (signal) => {
    child.kill(signal);
    const [code, endedBy] = (await ended) as [number | null, NodeJS.Signals | null];
    return code ?? endedBy ?? Number.NaN;
  };
  const kill = async (): Promise<void> => void (await end("SIGKILL"));
  t.after(kill);
  await until("the edge is ready", () => {
    if (child.exitCode !== null) throw new Error(`the edge did not start: ${stderr()}`);
    return stdout().includes("edge is ready");
  });
  return { httpAddress: /ready: http:\/\/([^,;]+)/.exec(stdout())?.[1] ?? "", kill, end };
}

/** No setting of Zoneward: where its programs are, and the sources that another process has compiled already. */
export function inheritedEnvironment(): Record<string, string | undefined> {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  return { PATH, NODE_COMPILE_CACHE };
}

/** A program of util-linux; tests run as root only on Linux. */
const withoutRightsOfRoot = ["setpriv", "--bounding-set=-dac_override,-dac_read_search", "--"];

function run(
  args: readonly string[],
  {
    env = {},
    cwd,
    program = programOfTests,
    nodeFlags = [],
    fileBytesMax,
    stderrFile,
    isOrdinaryUser = false,
  }: SpawnOptions,
) {
  const asItIs = [process.execPath, ...nodeFlags, program, ...args];
  const command = isOrdinaryUser && process.getuid?.() === 0 ? [...withoutRightsOfRoot, ...asItIs] : asItIs;
  // POSIX counts the limit in blocks of 512 bytes.
  const limited =
    fileBytesMax === undefined
      ? command
      : ["sh", "-c", 'ulimit -f "$0" && exec "$@"', String(Math.floor(fileBytesMax / 512)), ...command];
  const [file = "", ...rest] =
    stderrFile === undefined ? limited : ["sh", "-c", 'exec "$@" 2>"$0"', stderrFile, ...limited];
  const child = spawn(file, rest, { cwd, env: { ...inheritedEnvironment(), ...env } });
  child.stdin.end();
  return { child, stdout: collect(child, "stdout"), stderr: collect(child, "stderr") };
}

function collect(child: ChildProcessWithoutNullStreams, stream: "stdout" | "stderr"): () => string {
  let text = "";
  child[stream].setEncoding("utf8").on("data", (part: string) => (text += part));
  return () => text;
}
