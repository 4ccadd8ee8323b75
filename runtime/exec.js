#!/usr/bin/env node
// `exec node …` of a script where the shell has no `exec` of its own: Windows.
import { spawn } from "node:child_process";

const [, ...args] = process.argv.slice(2);
const child = spawn(process.execPath, args, { stdio: "inherit" });
child.once("exit", (code) => (process.exitCode = code ?? 1));
