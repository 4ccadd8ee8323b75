import { readCommand, runToEnd } from "./command-line.ts";
import { connectTestControls } from "./test-controls-client.ts";

/** `zoneward reset`: puts back the state with which a running server started. */
export async function reset(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  return runToEnd(async () => {
    const { values, settings } = readCommand(args, { flags: ["url", "token"] });
    const client = await connectTestControls(values, settings, env);
    await client.request("POST", "/reset");
  });
}
