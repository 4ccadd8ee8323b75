import { flagOf, settingNames, settings } from "../config/settings.ts";
import { presetNames } from "../core/test-controls/fault.ts";
import { commandNames, commandTable, type CommandSyntax, type CommandName } from "./command-table.ts";
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
const settingFlags = [
  "--config",
  ...settingNames.flatMap((name) =>
    settings[name].isFlag ? [flagOf(name), flagOf(name).replace(/^--/, "--no-")] : [flagOf(name)],
  ),
];

/** Values of settings that have a few, by flag. */
const choices: readonly (readonly [flag: string, values: readonly string[]])[] = settingNames.flatMap(
  (name) => {
    const { notation } = settings[name];
    return /^[a-z-]+(?:\|[a-z-]+)+$/.test(notation) ? [[flagOf(name), notation.split("|")] as const] : [];
  },
);

interface Completed {
  readonly command: CommandName;
  /** Empty for a command without actions. */
  readonly action: string;
  readonly flags: readonly string[];
  readonly takesSettings: boolean;
}

const completed: readonly Completed[] = commandNames.flatMap((command) => {
  const { actions, takesSettings }: CommandSyntax = commandTable[command];
  return Object.entries(actions).map(([action, own]) => ({
    command,
    action,
    flags: [...own, "--help"],
    takesSettings,
  }));
});

/** The values of the arguments of an action that takes one of a few. */
const argumentsOf: Readonly<Record<string, readonly string[]>> = { "fault preset": presetNames };

function actionsOf(command: CommandName): readonly string[] {
  return Object.keys(commandTable[command].actions).filter((action) => action !== "");
}

function bashScript(): string {
  const values = choices.map(([flag, words]) => `    ${flag}) words="${words.join(" ")}" ;;`);
  const firsts = commandNames.flatMap((name) => {
    const actions = actionsOf(name);
    return actions.length === 0 ? [] : [`      ${name}) words="${actions.join(" ")} --help" ;;`];
  });
  const others = completed.map(({ command, action, flags, takesSettings }) => {
    const place = action === "" ? `"${command} "*` : `"${command} ${action}"`;
    const words = [...(argumentsOf[`${command} ${action}`] ?? []), ...flags];
    return `      ${place}) words="${words.join(" ")}${takesSettings ? " $settings" : ""}" ;;`;
  });
  return `# Completes zoneward in bash: eval "$(zoneward completion bash)"
_zoneward() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]} words=
  local command=\${COMP_WORDS[1]} action=\${COMP_WORDS[2]}
  local settings="${settingFlags.join(" ")}"
  case $previous in
${values.join("\n")}
  esac
  if [ -n "$words" ]; then :
  elif [ "$COMP_CWORD" -eq 1 ]; then words="${[...commandNames, ...general].join(" ")}"
  else
    [ "$COMP_CWORD" -gt 2 ] || action=
    case "$command $action" in
${others.join("\n")}
    esac
    [ -n "$action" ] || case $command in
${firsts.join("\n")}
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _zoneward zoneward
`;
}

/** The script for zsh, which runs the functions of bash. */
function zshScript(): string {
  return `#compdef zoneward
# Completes zoneward in zsh: eval "$(zoneward completion zsh)"
(( $+functions[compdef] )) || { autoload -U compinit && compinit; }
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
  const own = completed.flatMap(({ command, action, flags }) => {
    const isHere =
      action === ""
        ? `'__fish_seen_subcommand_from ${command}'`
        : `'__fish_seen_subcommand_from ${command}; and __fish_seen_subcommand_from ${action}'`;
    const words = argumentsOf[`${command} ${action}`];
    const lines = flags.map((flag) => fishFlag(isHere, flag));
    if (words !== undefined) lines.push(`complete -c zoneward -f -n ${isHere} -a '${words.join(" ")}'`);
    return lines;
  });
  const takingSettings = commandNames.filter((name) => commandTable[name].takesSettings);
  const ofSettings = settingFlags.map((flag) =>
    fishFlag(`'__fish_seen_subcommand_from ${takingSettings.join(" ")}'`, flag),
  );
  return `# Completes zoneward in fish: zoneward completion fish | source
${[...commands, ...actions, ...own, ...ofSettings].join("\n")}
`;
}

const valuesOf = new Map(choices);

function fishFlag(isHere: string, flag: string): string {
  const words = valuesOf.get(flag);
  const argument = words === undefined ? "" : ` -x -a '${words.join(" ")}'`;
  return `complete -c zoneward -n ${isHere} -l ${flag.slice("--".length)}${argument}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`\'`)}'`;
}
