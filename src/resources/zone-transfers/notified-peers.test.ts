import assert from "node:assert/strict";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { test, type TestContext } from "node:test";

import { onEachEngine, until } from "../../../test/support/harness.ts";
import { startPrimary } from "../../../test/support/primary.ts";

/** A name server that answers notifications while it listens to them. */
async function startPeer(t: TestContext) {
  const socket = createSocket("udp4");
  let listens = true;
  socket.on("message", (message, { port, address }) => {
    if (!listens) return;
    // The bit of an answer.
    message[2] = (message[2] ?? 0) | 0x80;
    socket.send(message, port, address);
  });
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  t.after(() => socket.close());
  return { port: socket.address().port, setListening: (value: boolean) => (listens = value) };
}

onEachEngine("peers of a zone", (engine) => {
  test("tell the serial that each of them was notified of, and whether the zone still has it", async (t) => {
    const { app, result, createPeer, createZone, createRecord } = await startPrimary(t, engine);
    const follower = await startPeer(t);
    const other = await startPeer(t);
    other.setListening(false);
    const ids = [await createPeer(follower.port), await createPeer(other.port)];
    const zoneId = await createZone("example.com", ids);
    const outgoing = `/zones/${zoneId}/secondary_dns/outgoing`;
    const peers = () => result("GET", `${outgoing}/peers`);
    await until("the first is notified", async () => (await peers())[0].is_current);
    const { soa_serial: serial } = await result("GET", outgoing);
    assert.deepEqual(await peers(), [
      { id: ids[0], notified_serial: serial, is_current: true },
      { id: ids[1], notified_serial: null, is_current: false },
    ]);

    follower.setListening(false);
    await createRecord(zoneId, { type: "A", name: "www", content: "192.0.2.1" });
    assert.deepEqual((await peers())[0], { id: ids[0], notified_serial: serial, is_current: false });
    follower.setListening(true);
    await until("it is notified of the change", async () => (await peers())[0].is_current);
    assert.equal((await peers())[0].notified_serial, serial + 1);

    await result("DELETE", outgoing);
    const answer = await app.request("GET", `${outgoing}/peers`);
    assert.deepEqual([answer.status, answer.body.errors[0]?.code], [404, 10004]);
  });
});
