import assert from "node:assert/strict";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { test, type TestContext } from "node:test";

import { dnsQuery } from "../../../test/support/dns-client.ts";
import { freePort } from "../../../test/support/fixed-port.ts";
import { onComparedEngines, until } from "../../../test/support/harness.ts";
import { startPrimary } from "../../../test/support/primary.ts";
import { selectPendingNotices } from "./store.ts";

/** A name server that answers notifications while it listens to them. */
async function startPeer(t: TestContext, host = "127.0.0.1") {
  const socket = createSocket("udp4");
  let listens = true;
  let heard = 0;
  socket.on("message", (message, { port, address }) => {
    if (!listens) return;
    heard += 1;
    // The bit of an answer.
    message[2] = (message[2] ?? 0) | 0x80;
    socket.send(message, port, address);
  });
  socket.bind(0, host);
  await once(socket, "listening");
  t.after(() => socket.close());
  return {
    port: socket.address().port,
    setListening: (value: boolean) => (listens = value),
    heard: () => heard,
  };
}

onComparedEngines("peers of a zone", (engine) => {
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

  test("are reminded of a serial that they accepted and did not transfer, also after a restart", async (t) => {
    const settings = { dns_listen: [`127.0.0.1:${await freePort()}`] };
    const { app, dns, result, createPeer, createZone } = await startPrimary(t, engine, settings);
    const peer = await startPeer(t);
    const zoneId = await createZone("example.com", [await createPeer(peer.port)]);
    let { read } = await app.storeBeside();
    const stored = async () => {
      const [row] = await read.selectFrom("outgoing_peers").selectAll().execute();
      return row;
    };
    const remindersLeft = async () => (await stored())?.reminders_left ?? 0;
    const untilReminded = async () => {
      const before = { left: await remindersLeft(), heard: peer.heard() };
      await until("it is reminded", async () => (await remindersLeft()) < before.left);
      assert.ok(peer.heard() > before.heard);
    };
    await until("it has accepted the serial", async () => (await remindersLeft()) > 0);
    const { soa_serial: serial } = await result("GET", `/zones/${zoneId}/secondary_dns/outgoing`);
    await untilReminded();
    await app.restart();
    ({ read } = await app.storeBeside());
    await untilReminded();
    assert.equal((await stored())?.notified_serial, serial);

    const [transfer] = await dns.askOnConnection([dnsQuery({ name: "example.com", type: "AXFR" })]);
    assert.equal(transfer?.answers.length, 4);
    await until(
      "it is known to have the serial",
      async () => (await stored())?.transferred_serial === serial,
    );
    assert.deepEqual(await selectPendingNotices(read), []);
  });

  test("are notified only at addresses that are public or allowed", async (t) => {
    const allowed = "127.0.0.2";
    const { app, result, createZone } = await startPrimary(t, engine, { transfer_networks: [allowed] });
    const others = ["127.0.0.1", allowed];
    const sockets = await Promise.all(others.map((host) => startPeer(t, host)));
    const peers: string[] = [];
    for (const [index, ip] of others.entries()) {
      const body = { name: ip, ip, port: sockets[index]?.port };
      const path = `/accounts/${app.owner.accountId}/secondary_dns/peers`;
      peers.push((await result("POST", path, body)).id);
    }
    const zoneId = await createZone("example.com", peers);
    const state = () => result("GET", `/zones/${zoneId}/secondary_dns/outgoing/peers`);
    await until("the one that is allowed is notified", async () => (await state())[1].is_current);
    assert.equal((await state())[0].notified_serial, null);
    assert.equal(sockets[0]?.heard(), 0);
  });
});
