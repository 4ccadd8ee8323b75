import { createSocket, type RemoteInfo } from "node:dgram";
import { once } from "node:events";

import type { Respond, SocketAddress } from "./listener.ts";

const receiveBufferBytes = 4 * 1024 * 1024;

/** Answers datagrams at an address. Errors: those of binding it. */
export async function listenOnUdp(
  { host, port }: SocketAddress,
  respond: Respond,
): Promise<{ close(): Promise<void> }> {
  const socket = createSocket({ type: host.includes(":") ? "udp6" : "udp4", ipv6Only: host.includes(":") });
  const pending = new Set<Promise<void>>();
  const send = (answer: Uint8Array | undefined, { port: to, address }: RemoteInfo, sent = ignore): void => {
    // Without a callback, an answer that cannot be sent is an error of the socket.
    if (answer === undefined) sent();
    else socket.send(answer, to, address, sent);
  };
  socket.on("message", (bytes, peer) => {
    if (peer.port === 0) return;
    const answer = respond({ bytes, address: peer.address, transport: "udp" });
    if (!(answer instanceof Promise)) {
      send(answer, peer);
      return;
    }
    const done = answer
      .then((late) => new Promise<void>((sent) => send(late, peer, () => sent())))
      .finally(() => pending.delete(done));
    pending.add(done);
  });
  socket.bind(port, host);
  await once(socket, "listening");
  // The system may not allow as much.
  socket.on("error", ignore);
  socket.setRecvBufferSize(receiveBufferBytes);
  return {
    close: async () => {
      socket.removeAllListeners("message");
      await Promise.all(pending);
      socket.close();
      await once(socket, "close");
    },
  };
}

function ignore(): void {}
