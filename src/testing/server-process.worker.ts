import { runServer, type ServerEnvironment } from "./run-server.ts";
import type { Report } from "./child-server.ts";

const tell = (report: Report): void => void process.send?.(report);

// The parent says how, and its end is the end of the server.
process.once("message", (environment: ServerEnvironment) => {
  runServer(environment).then(
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
