import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";

import { newDirectory, sendRequest, until } from "../harness.ts";
import { ownerFlags, spawnServer } from "../spawned-server.ts";

const rounds = 5;
const writers = 16;
const recordsPerRoundMin = 64;

test("every record that was acknowledged is there after the server was killed", async (t) => {
  const data = newDirectory(t);
  const flags = [`--data=${data}`, "--log-level=error", ...ownerFlags];
  const acknowledged = new Set<string>();

  let server = await spawnServer(t, flags);
  const { body } = await sendRequest(server.baseUrl, "POST", "/zones", { body: { name: "example.com" } });
  const path = `/zones/${body.result.id}/dns_records`;

  for (let round = 0; round < rounds; round += 1) {
    const { baseUrl } = server;
    const killed = new AbortController();
    const write = async (writer: number): Promise<void> => {
      for (let record = 0; !killed.signal.aborted; record += 1) {
        const name = `r${round}-w${writer}-${record}.example.com`;
        const content = `192.0.2.${record % 256}`;
        try {
          const answer = await sendRequest(baseUrl, "POST", path, {
            body: { type: "A", name, content, ttl: 1 },
          });
          assert.equal(answer.status, 200, answer.text);
          acknowledged.add(name);
        } catch (error) {
          // The connection ended with the server; a refusal would be another matter.
          if (!killed.signal.aborted || error instanceof assert.AssertionError) throw error;
        }
      }
    };
    const enough = acknowledged.size + recordsPerRoundMin;
    const writing = Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)));
    await Promise.race([writing, until("enough records", () => acknowledged.size >= enough)]);
    killed.abort();
    assert.equal(await server.end("SIGKILL"), "SIGKILL");
    await writing;

    const file = new DatabaseSync(join(data, "zoneward.sqlite"));
    const check = file.prepare("pragma integrity_check").all();
    file.close();
    assert.deepEqual(
      check.map((row) => row["integrity_check"]),
      ["ok"],
    );

    server = await spawnServer(t, flags);
    const listed = await sendRequest(server.baseUrl, "GET", `${path}?per_page=5000`);
    const names = new Set(listed.body.result.map(({ name }: { name: string }) => name));
    assert.deepEqual(
      [...acknowledged].filter((name) => !names.has(name)),
      [],
    );
    assert.equal(listed.body.result_info?.total_count, names.size);
    // At most the requests that were in flight may be there without an answer.
    assert.ok(names.size <= acknowledged.size + writers * (round + 1));
  }
});
