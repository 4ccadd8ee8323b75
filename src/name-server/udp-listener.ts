import { createSocket, type RemoteInfo } from "node:dgram";
import { once } from "node:events";

import { isTransfer, type Respond, type SocketAddress } from "./listener.ts";

const receiveBufferBytes = 4 * 1024 * 1024;

/**
 * Answers datagrams at an address. With `sharesPort`, several sockets may bind the address, and the operating system divides
 * the senders among them. Throws the errors of binding the address.
 */
export async function listenOnUdp(
  { host, port }: SocketAddress,
  respond: Respond,
  sharesPort = false,
): Promise<{ close(): Promise<void> }> {
  const isIpv6 = host.includes(":");
  const socket = createSocket({
    type: isIpv6 ? "udp6" : "udp4",
    ipv6Only: isIpv6,
    reusePort: sharesPort,
    // Responses go to IP addresses. Node's default look-up would delay each of them by a turn of the event loop.
    lookup: (address, _, found) => found(null, address, isIpv6 ? 6 : 4),
  });
  const pending = new Set<Promise<void>>();
  socket.on("message", (bytes, { address, port: to }: RemoteInfo) => {
    if (to === 0) return;
    const answer = respond({ bytes, address, transport: "udp" });
    if (!(answer instanceof Promise)) {
      if (answer !== undefined && !isTransfer(answer)) socket.send(answer, to, address);
      return;
    }
    const send = async (): Promise<void> => {
      const late = await answer;
      if (late !== undefined && !isTransfer(late))
        await new Promise<void>((sent) => socket.send(late, to, address, () => sent()));
    };
    const done = send().finally(() => pending.delete(done));
    pending.add(done);
  });
  const listening = once(socket, "listening");
  socket.bind(port, host);
  await listening;
  // The socket reports each response that it cannot send as an error.
  socket.on("error", () => undefined);
  // The operating system may set a smaller buffer.
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
