import { readCommand, runToEnd, UsageError, unknownCommand } from "./command-line.ts";
import { connectTestControls } from "./test-controls-client.ts";

interface Change {
  readonly method: string;
  readonly path: string;
  readonly body?: object;
}

interface Action {
  /** The name of the argument in the help; undefined for none. */
  readonly argument?: string;
  readonly isOptional?: true;
  readonly change: (argument: string) => Change;
}

const patch = (body: object): Change => ({ method: "PATCH", path: "/clock", body });

const actions: Readonly<Record<string, Action>> = {
  show: { change: () => ({ method: "GET", path: "/clock" }) },
  freeze: {
    argument: "TIME",
    isOptional: true,
    change: (time) => patch({ frozen: true, ...(time !== "" && { now: time }) }),
  },
  resume: { change: () => patch({ frozen: false }) },
  set: { argument: "TIME", change: (time) => patch({ now: time === "now" ? null : time }) },
  advance: {
    argument: "DURATION",
    change: (text) => ({ method: "POST", path: "/clock/advance", body: readDuration(text) }),
  },
};

/** `zoneward clock`: the time of a running server. */
export async function clock(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const [command = "", ...rest] = args;
  return runToEnd(async () => {
    const action = Object.hasOwn(actions, command) ? actions[command] : undefined;
    if (action === undefined) throw unknownCommand("clock", command);
    const { values, positionals, settings } = readCommand(rest, {
      flags: ["url", "token"],
      positionalsMax: action.argument === undefined ? 0 : 1,
    });
    const [argument = ""] = positionals;
    if (action.argument !== undefined && action.isOptional === undefined && argument === "") {
      throw new UsageError(`clock ${command} needs ${action.argument}; see zoneward clock --help`);
    }
    const { method, path, body } = action.change(argument);
    const client = await connectTestControls(values, settings, env);
    const shown = (await client.request(method, path, body)) as { now: string; frozen: boolean };
    process.stdout.write(`${shown.now}${shown.frozen ? "  frozen" : ""}\n`);
  });
}

const units = { d: "days", h: "hours", m: "minutes", s: "seconds", ms: "milliseconds" } as const;

function readDuration(text: string): object {
  const parts = [...text.matchAll(/(\d{1,9}(?:\.\d{1,9})?)(ms|[dhms])/g)];
  if (parts.length === 0 || parts.map(([part]) => part).join("") !== text) {
    throw new UsageError(`DURATION: \`${text}\` is none; write 90d, 1h30m or 500ms`);
  }
  return Object.fromEntries(
    parts.map(([, amount, unit]) => [units[unit as keyof typeof units], Number(amount)]),
  );
}
