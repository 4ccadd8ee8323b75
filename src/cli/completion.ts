import { flagOf, settingNames, settings } from "../config/settings.ts";
import { commandNames, commandTable, type CommandForm } from "./command-table.ts";
import { runToEnd, UsageError } from "./command-line.ts";

const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript } as const;

/** `zoneward completion SHELL`: a script for the shell to read. */
export async function completion([shell = "", ...rest]: readonly string[]): Promise<number> {
  return runToEnd(async () => {
    const name = (["bash", "zsh", "fish"] as const).find((known) => known === shell);
    if (name === undefined || rest.length > 0)
      throw new UsageError("completion needs one of: bash, zsh, fish");
    process.stdout.write(scripts[name]());
  });
}

const general = ["--help", "--version"];
const settingFlags = settingNames.flatMap((name) =>
  settings[name].isFlag ? [flagOf(name), flagOf(name).replace(/^--/, "--no-")] : [flagOf(name)],
);

/** Values of settings that have a few, by flag. */
const choices: readonly (readonly [flag: string, values: readonly string[]])[] = settingNames.flatMap(
  (name) => {
    const { form } = settings[name];
    return /^[a-z-]+(?:\|[a-z-]+)+$/.test(form) ? [[flagOf(name), form.split("|")] as const] : [];
  },
);

interface Completed {
  readonly command: string;
  /** Empty for a command without actions. */
  readonly action: string;
  readonly flags: readonly string[];
}

const completed: readonly Completed[] = commandNames.flatMap((command) => {
  const { actions, takesSettings }: CommandForm = commandTable[command];
  return Object.entries(actions).map(([action, own]) => ({
    command,
    action,
    flags: [...own, ...(takesSettings ? ["--config", ...settingFlags] : []), "--help"],
  }));
});

function actionsOf(command: keyof typeof commandTable): readonly string[] {
  return Object.keys(commandTable[command].actions).filter((action) => action !== "");
}

/** The words after a command: its actions, or its flags where it has none. */
function firstWords(command: keyof typeof commandTable): readonly string[] {
  const actions = actionsOf(command);
  return actions.length > 0
    ? [...actions, "--help"]
    : completed.filter((each) => each.command === command).flatMap(({ flags }) => flags);
}

function bashScript(): string {
  const values = choices.map(([flag, words]) => `    ${flag}) words="${words.join(" ")}" ;;`);
  const seconds = commandNames.map((name) => `      ${name}) words="${firstWords(name).join(" ")}" ;;`);
  const others = completed.map(
    ({ command, action, flags }) => `      "${command} ${action}") words="${flags.join(" ")}" ;;`,
  );
  return `# Completes zoneward in bash: eval "$(zoneward completion bash)"
_zoneward() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]} words=
  local command=\${COMP_WORDS[1]} action=\${COMP_WORDS[2]}
  case $previous in
${values.join("\n")}
  esac
  if [ -n "$words" ]; then :
  elif [ "$COMP_CWORD" -eq 1 ]; then words="${[...commandNames, ...general].join(" ")}"
  elif [ "$COMP_CWORD" -eq 2 ]; then
    case $command in
${seconds.join("\n")}
    esac
  else
    case "$command $action" in
${others.filter((line) => !line.includes(' ")')).join("\n")}
${commandNames
  .filter((name) => actionsOf(name).length === 0)
  .map((name) => `      "${name} "*) words="${firstWords(name).join(" ")}" ;;`)
  .join("\n")}
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _zoneward zoneward
`;
}

/** zsh runs the functions of bash. */
function zshScript(): string {
  return `#compdef zoneward
# Completes zoneward in zsh: eval "$(zoneward completion zsh)"
autoload -U +X bashcompinit && bashcompinit
${bashScript()}`;
}

function fishScript(): string {
  const commands = commandNames.map(
    (name) =>
      `complete -c zoneward -f -n __fish_use_subcommand -a ${name} -d ${quoted(commandTable[name].summary)}`,
  );
  const actions = commandNames.flatMap((name) => {
    const all = actionsOf(name);
    if (all.length === 0) return [];
    const isFirst = `'__fish_seen_subcommand_from ${name}; and not __fish_seen_subcommand_from ${all.join(" ")}'`;
    return [`complete -c zoneward -f -n ${isFirst} -a '${all.join(" ")}'`];
  });
  const values = new Map(choices);
  const flags = completed.flatMap(({ command, action, flags: its }) => {
    const isHere =
      action === ""
        ? `'__fish_seen_subcommand_from ${command}'`
        : `'__fish_seen_subcommand_from ${command}; and __fish_seen_subcommand_from ${action}'`;
    return its.map((flag) => {
      const words = values.get(flag);
      const argument = words === undefined ? "" : ` -x -a '${words.join(" ")}'`;
      return `complete -c zoneward -n ${isHere} -l ${flag.slice("--".length)}${argument}`;
    });
  });
  return `# Completes zoneward in fish: zoneward completion fish | source
${[...commands, ...actions, ...flags].join("\n")}
`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`\'`)}'`;
}
