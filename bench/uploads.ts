import { basePath, ownerToken, type ServerProcess } from "./process.ts";

/** The zone that uploads are for. */
export const busyZone = "busy.example";

/** Sends it; answers the status. */
export type Send = (server: ServerProcess, zoneId: string) => Promise<number>;

const megabyte = 1024 * 1024;
const replayBytes = 16 * megabyte;
const importBytes = 8 * megabyte;
const smallBytes = 256 * 1024;
const boundary = "boundary";

/** Files and forms of the largest size that is taken, each of which takes much work in its own way. */
export const uploads: Readonly<Record<string, () => Send>> = {
  "replay of a HAR with one URL of 16 MB": () =>
    replay(har([`https://${busyZone}/?q=`.padEnd(replayBytes - 1_000, "a")])),
  "replay of 16 MB of log lines of 64 KB": () => replay(logOf("a/", 65_000, replayBytes)),
  "replay of 16 MB of log lines of 8 KB": () => replay(logOf("a/", 8_000, replayBytes)),
  "replay of a HAR of arrays in one another": () => replay(nestedArrays()),
  "replay of 10,000 attacks": () => replay(har(Array.from({ length: 10_000 }, (_, n) => attack(n)))),
  "replay of 120 requests with bodies of 128 KB": () =>
    replay(
      har(
        Array.from({ length: 120 }, (_, n) => attack(n)),
        "a".repeat(128 * 1024),
      ),
    ),
  "form of 16 M lines that end with LF": () =>
    form("waf_migration/replay", "\n", Buffer.alloc(replayBytes, "\n")),
  "form of 300,000 empty parts": () => emptyParts(300_000),
  "import of 100,000 records": () => form("dns_records/import", "\r\n", zoneFile(100_000)),
  "import of 8 MB of the shortest records": () =>
    form("dns_records/import", "\r\n", shortRecords(importBytes)),
  "import of one comment of 8 MB": () => form("dns_records/import", "\r\n", Buffer.alloc(importBytes, ";")),
  "replay of a HAR of 256 KB, one request": () => replay(har([attack(0)], "a".repeat(smallBytes - 1_000))),
  "replay of a log of 256 KB": () => replay(logOf("a/", 8_000, smallBytes - 1_000)),
  "import of 256 KB of the shortest records": () =>
    form("dns_records/import", "\r\n", shortRecords(smallBytes - 1_000)),
  "import of 16 KB of the shortest records": () =>
    form("dns_records/import", "\r\n", shortRecords(15 * 1024)),
};

function post(path: string, body: Buffer): Send {
  return async ({ port }, zoneId) => {
    const response = await fetch(`http://127.0.0.1:${port}${basePath}/zones/${zoneId}/${path}`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${ownerToken}`,
        "content-type": `multipart/form-data; boundary=${boundary}`,
      },
      body: body as Buffer<ArrayBuffer>,
    });
    await response.arrayBuffer();
    return response.status;
  };
}

function form(path: string, lineEnd: "\n" | "\r\n", file: Buffer): Send {
  const head = [`--${boundary}`, 'content-disposition: form-data; name="file"; filename="f"', "", ""];
  const tail = ["", `--${boundary}--`, ""];
  return post(path, Buffer.concat([Buffer.from(head.join(lineEnd)), file, Buffer.from(tail.join(lineEnd))]));
}

function emptyParts(count: number): Send {
  const part = `--${boundary}\r\ncontent-disposition:form-data;name=a\r\n\r\n\r\n`;
  return post("waf_migration/replay", Buffer.from(`${part.repeat(count)}--${boundary}--\r\n`));
}

function replay(file: string): Send {
  return form("waf_migration/replay", "\r\n", Buffer.from(file));
}

function har(urls: readonly string[], body = ""): string {
  const entries = urls.map((url) => ({
    request: {
      method: "POST",
      url,
      httpVersion: "HTTP/1.1",
      headers: [{ name: "User-Agent", value: "curl/8" }],
      cookies: [],
      postData: { mimeType: "text/plain", text: body },
    },
    response: { status: 200 },
  }));
  return JSON.stringify({ log: { version: "1.2", entries } });
}

function attack(n: number): string {
  return `https://${busyZone}/${n}?q=%3Cscript%3Ealert(1)%3C/script%3E&id=1%27%20UNION%20SELECT%20a%20FROM%20b--`;
}

/** Whole lines of that length, as many as there is room for. */
function logOf(piece: string, lineLength: number, bytes: number): string {
  const around = (path: string): string =>
    `192.0.2.1 - - [10/Oct/2025:13:55:36 -0700] "GET /${path} HTTP/1.1" 200 2326 "-" "curl/8"\n`;
  const line = around(piece.repeat((lineLength - around("").length) / piece.length));
  return line.repeat(bytes / line.length);
}

function nestedArrays(): string {
  const levels = replayBytes / 2 - 1_000;
  return `{"log":{"entries":[${"[".repeat(levels)}${"]".repeat(levels)}]}}`;
}

function zoneFile(records: number): Buffer {
  const lines = Array.from({ length: records }, (_, n) => `host-${n} 300 A 192.0.2.${n % 256}\n`);
  return Buffer.from(lines.join(""));
}

function shortRecords(bytes: number): Buffer {
  const lines: string[] = [];
  for (let n = 0, length = 0; ; n += 1) {
    const line = `${n.toString(36)} A 1.1.1.1\n`;
    length += line.length;
    if (length > bytes) return Buffer.from(lines.join(""));
    lines.push(line);
  }
}
