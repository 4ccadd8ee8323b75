import { once } from "node:events";
import { connect } from "node:tls";

/** The types of frames (RFC 9113 section 6). */
const types = { data: 0, headers: 1, reset: 3, settings: 4, goAway: 7, continuation: 9 } as const;

/** A frame of HTTP/2 (RFC 9113 section 4.1). */
export function frame(type: number, flags: number, stream: number, payload: Buffer | string = ""): Buffer {
  const content = Buffer.from(payload as string);
  const head = Buffer.alloc(9);
  head.writeUIntBE(content.length, 0, 3);
  head.writeUInt8(type, 3);
  head.writeUInt8(flags, 4);
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, content]);
}

/** The server's reaction to a request: the octets of its answer with the head in HPACK, or the code of a reset. */
export interface RawHttp2Answer {
  /** The status, if the head names it by the static table; 0 for none. */
  readonly status: number;
  readonly text: string;
  /** The code with which the stream or the connection was ended. */
  readonly error: number | undefined;
}

/** The statuses of the static table (RFC 7541 appendix A). */
const indexed: readonly number[] = [200, 204, 206, 304, 400, 404, 500];

/**
 * Sends a request whose fields no client library would send, on a connection of its own, and reads the answer. Names
 * and values are byte strings. With `isEarly` the request does not wait for the settings of the server.
 */
export async function sendFields(
  port: number,
  fields: readonly (readonly [name: string, value: string])[],
  { isEarly = false } = {},
): Promise<RawHttp2Answer> {
  const socket = connect({
    port,
    host: "127.0.0.1",
    servername: "www.example.com",
    rejectUnauthorized: false,
    ALPNProtocols: ["h2"],
  });
  socket.on("error", () => undefined);
  await once(socket, "secureConnect");
  socket.write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
  socket.write(frame(types.settings, 0, 0));
  const block = Buffer.concat(fields.map(([name, value]) => literal(name, value)));
  const send = (): void => {
    for (let at = 0; at < block.length; at += 16_000) {
      const isLast = at + 16_000 >= block.length;
      const flags = (at === 0 ? 1 : 0) | (isLast ? 4 : 0);
      socket.write(
        frame(at === 0 ? types.headers : types.continuation, flags, 1, block.subarray(at, at + 16_000)),
      );
    }
  };
  if (isEarly) send();
  let status = 0;
  let text = "";
  let octets = Buffer.alloc(0);
  try {
    for await (const part of socket) {
      octets = Buffer.concat([octets, part as Buffer]);
      for (let next = nextFrame(octets); next !== undefined; next = nextFrame(octets)) {
        octets = octets.subarray(9 + next.payload.length);
        if (next.type === types.settings && (next.flags & 1) === 0) {
          socket.write(frame(types.settings, 1, 0));
          if (!isEarly) send();
        }
        if (next.type === types.headers) status = statusOf(next.payload);
        if (next.type === types.data) text += next.payload.toString("latin1");
        if (next.type === types.reset && status === 0)
          return { status, text, error: next.payload.readUInt32BE(0) };
        if (next.type === types.goAway) return { status, text, error: next.payload.readUInt32BE(4) };
        const isEnd = (next.type === types.headers || next.type === types.data) && (next.flags & 1) === 1;
        if (isEnd) return { status, text, error: undefined };
      }
    }
    return { status, text, error: undefined };
  } finally {
    socket.destroy();
  }
}

function nextFrame(
  octets: Buffer,
): { readonly type: number; readonly flags: number; readonly payload: Buffer } | undefined {
  if (octets.length < 9) return undefined;
  const length = octets.readUIntBE(0, 3);
  if (octets.length < 9 + length) return undefined;
  return { type: octets.readUInt8(3), flags: octets.readUInt8(4), payload: octets.subarray(9, 9 + length) };
}

/** The status is the first field of a head. */
function statusOf(block: Buffer): number {
  const first = block.readUInt8(0);
  if (first >= 0x88 && first <= 0x8e) return indexed[first - 0x88] ?? 0;
  const digits = block.subarray(2, 2 + (block.readUInt8(1) & 0x7f));
  return block.readUInt8(1) < 0x80 ? Number(digits.toString("latin1")) : huffmanDigits(digits);
}

/** Three digits in the Huffman code of HPACK (RFC 7541 appendix B): 0 to 2 have five bits, the others six. */
function huffmanDigits(octets: Buffer): number {
  let bits = "";
  for (const octet of octets) bits += octet.toString(2).padStart(8, "0");
  let digits = "";
  while (digits.length < 3) {
    const five = Number.parseInt(bits.slice(0, 5), 2);
    const isShort = five <= 2;
    digits += isShort ? five : Number.parseInt(bits.slice(0, 6), 2) - 0x19 + 3;
    bits = bits.slice(isShort ? 5 : 6);
  }
  return Number(digits);
}

/** A field that is not indexed (RFC 7541 section 6.2.2), without the Huffman code. */
function literal(name: string, value: string): Buffer {
  return Buffer.concat([Buffer.from([0]), lengthAndOctets(name), lengthAndOctets(value)]);
}

function lengthAndOctets(text: string): Buffer {
  const octets = Buffer.from(text, "latin1");
  const length: number[] = [];
  let rest = octets.length;
  if (rest < 127) length.push(rest);
  else {
    length.push(127);
    for (rest -= 127; rest >= 128; rest = Math.floor(rest / 128)) length.push((rest % 128) + 128);
    length.push(rest);
  }
  return Buffer.concat([Buffer.from(length), octets]);
}
