import { commandHelp } from "./cli.ts";
import { commandNames, commandTable } from "./command-table.ts";

/** The manual page, section 1, as roff (man(7)), made of the command line's help. */
export function manPage(version: string): string {
  const summaries = commandNames.map(
    (name) => `.TP\n.B ${plain(name)}\n${plain(commandTable[name].summary)}\n`,
  );
  const commands = commandNames.map(
    (name) => `.SS zoneward ${plain(name)}\n.nf\n${plain(commandHelp(name).trimEnd())}\n.fi\n`,
  );
  return `.TH ZONEWARD 1 "" "Zoneward ${plain(version)}" "User Commands"
.SH NAME
zoneward \\- the v4 zone\\-management API as software that anyone can run
.SH SYNOPSIS
.B zoneward
.I COMMAND
.RI [ FLAGS ]
.SH COMMANDS
${summaries.join("")}.SH DETAILS
${commands.join("")}.SH EXIT STATUS
0 for success, 1 for a failure, 2 for a wrong command line or wrong settings.
`;
}

/** Escapes a line of roff: one that begins with a dot or a quote would be a request, and a backslash an escape. */
function plain(text: string): string {
  return text
    .replaceAll("\\", String.raw`\e`)
    .replaceAll("-", String.raw`\-`)
    .replaceAll(/^(?=[.'])/gm, String.raw`\&`);
}
