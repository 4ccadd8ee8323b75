/**
 * The peer of the name server: what `node:dgram` alone costs. `node bench/servers/dns-peer.ts PORT`
 *
 * Answers every datagram with prepared octets behind the id of the query: a question, an A record and an OPT record.
 */
import { createSocket } from "node:dgram";

import { encodeMessage } from "../../src/core/dns/wire/message.ts";
import { ednsRecord } from "../../src/core/dns/wire/edns.ts";

const [port = ""] = process.argv.slice(2);
const record = { name: "name-1000.example.com", type: 1, class: 1 };
const prepared = Buffer.from(
  encodeMessage({
    id: 0,
    flags: 0x8400,
    questions: [record],
    answers: [{ ...record, ttl: 300, rdata: "\u00c0\0\u0002\u0001" }],
    authorities: [],
    additionals: [
      ednsRecord({ payloadSize: 1232, version: 0, extendedRcode: 0, dnssecOk: false, options: [] }),
    ],
  }),
);

const socket = createSocket("udp4");
socket.on("message", (query, peer) => {
  const answer = Buffer.from(prepared);
  answer.writeUInt16BE(query.readUInt16BE(0));
  socket.send(answer, peer.port, peer.address);
});
// As large as that of the name server: what does not fit into it is lost.
socket.bind(Number(port), "127.0.0.1", () => socket.setRecvBufferSize(4 * 1024 * 1024));
