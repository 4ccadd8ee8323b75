import type { Report } from "./child-server.ts";
import { cacheCompiledCode } from "../files/compile-cache.ts";
import type { RunningServer, ServerEnvironment } from "./run-server.ts";

const tell = (report: Report): void => void process.send?.(report);

async function start(environment: ServerEnvironment): Promise<RunningServer> {
  cacheCompiledCode();
  return (await import("./run-server.ts")).runServer(environment);
}

// The parent sends the settings, and its end is the end of the server.
process.once("message", (environment: ServerEnvironment) => {
  start(environment).then(
    ({ stop, ...started }) => {
      process.once("disconnect", () => void stop().then(() => process.exit()));
      tell({ started });
    },
    (error: unknown) => {
      tell({ failed: error instanceof Error ? error.message : String(error) });
      process.disconnect();
    },
  );
});
