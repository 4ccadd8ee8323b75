import type { Server } from "node:http";

const sweepMs = 50;

interface Closing {
  /** Closes connections that never carried a request. */
  readonly closeUnused: () => void;
  readonly closeAll: () => void;
  /** Milliseconds after which all connections are closed. */
  readonly graceMs: number;
}

/**
 * Runs `close` of a server, which waits for its connections. Meanwhile closes those that carry no request, also where
 * they become idle only then; Node.js would wait for one that never sent a request. Whatever is left is closed after the
 * grace period.
 */
export async function closeInTime(
  server: Pick<Server, "closeIdleConnections">,
  close: () => Promise<void>,
  { closeUnused, closeAll, graceMs }: Closing,
): Promise<void> {
  const sweep = setInterval(() => {
    closeUnused();
    server.closeIdleConnections();
  }, sweepMs);
  const grace = setTimeout(closeAll, graceMs);
  try {
    await close();
  } finally {
    clearInterval(sweep);
    clearTimeout(grace);
  }
}
