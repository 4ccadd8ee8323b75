import type { Duplex } from "node:stream";

import type { Header } from "../../core/transforms/request-headers.ts";
import { flatten } from "../request/exchange.ts";

/** A WebSocket on which nothing is sent for so long is closed. */
const idleMs = 400_000;

/** Completes the handshake with the visitor. */
export function acceptWebSocket(visitor: Duplex, headers: readonly Header[]): void {
  const lines = flatten(headers);
  let head = "HTTP/1.1 101 Switching Protocols\r\nconnection: Upgrade\r\nupgrade: websocket\r\n";
  for (let at = 0; at + 1 < lines.length; at += 2) head += `${lines[at]}: ${lines[at + 1]}\r\n`;
  visitor.write(`${head}\r\n`, "latin1");
}

/**
 * Relays octets in both directions until one side ends; `early` are those that the visitor has sent already.
 * The octets of the origin go through `through`, if it is given.
 */
export function relay(visitor: Duplex, origin: Duplex, early: Buffer, through?: Duplex): void {
  if (early.length > 0) origin.write(early);
  for (const [from, to] of [
    [visitor, origin],
    [origin, visitor],
  ] as const) {
    from.on("error", () => to.destroy());
    from.on("close", () => {
      // After a proper end the pipe ends the other side, which still has to take what came before.
      if (from.readableEnded && !to.writableFinished) to.once("finish", () => to.destroy());
      else to.destroy();
    });
    if ("setTimeout" in from)
      (from as Duplex & { setTimeout: (ms: number, on: () => void) => void }).setTimeout(idleMs, () =>
        from.destroy(),
      );
  }
  visitor.pipe(origin);
  if (through === undefined) origin.pipe(visitor);
  else {
    through.on("error", () => visitor.destroy());
    origin.pipe(through).pipe(visitor);
  }
}
