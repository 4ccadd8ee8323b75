import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { existsSync } from "node:fs";

const library = "/usr/lib/x86_64-linux-gnu/libmodsecurity.so.3";
const program = `
import ctypes, struct, sys
library = ctypes.CDLL("libmodsecurity.so.3")
sql, script = library.libinjection_sqli, library.libinjection_xss
sql.argtypes = [ctypes.c_char_p, ctypes.c_size_t, ctypes.c_char_p]
script.argtypes = [ctypes.c_char_p, ctypes.c_size_t]
shape = ctypes.create_string_buffer(16)
def answer(value):
    isSql = sql(value, len(value), shape)
    return (b"x" if script(value, len(value)) else b"-") + (shape.value if isSql else b"")
while len(head := sys.stdin.buffer.read(4)) == 4:
    values = sys.stdin.buffer.read(struct.unpack("<I", head)[0]).split(b"\\x01")
    answers = b"\\x01".join(map(answer, values))
    sys.stdout.buffer.write(struct.pack("<I", len(answers)) + answers)
    sys.stdout.buffer.flush()
`;

/** Few enough values that their answers fit into a pipe. */
const batch = 5_000;

export interface Answer {
  /** The kinds of the folded tokens of an injection of SQL; undefined where the value is none. */
  readonly sqlShape: string | undefined;
  readonly isScript: boolean;
}

/** Asks the libinjection in Debian's libmodsecurity3, by python3, what it takes values for. */
export class Libinjection {
  static readonly isInstalled = existsSync(library) && existsSync("/usr/bin/python3");
  readonly #process: ChildProcessWithoutNullStreams = spawn("/usr/bin/python3", ["-c", program]);

  /** The answers for these values, whose characters are octets other than 1, in their order. One question at a time. */
  async ask(values: readonly string[]): Promise<Answer[]> {
    const answers: Answer[] = [];
    for (let at = 0; at < values.length; at += batch)
      answers.push(...(await this.#askBatch(values.slice(at, at + batch))));
    return answers;
  }

  async #askBatch(values: readonly string[]): Promise<Answer[]> {
    const body = Buffer.from(values.join("\u0001"), "latin1");
    const head = Buffer.alloc(4);
    head.writeUInt32LE(body.length);
    this.#process.stdin.write(Buffer.concat([head, body]));
    const answers = (await this.#read((await this.#read(4)).readUInt32LE()))
      .toString("latin1")
      .split("\u0001");
    return answers.map((answer) => ({
      sqlShape: answer.slice(1) || undefined,
      isScript: answer.startsWith("x"),
    }));
  }

  async #read(octets: number): Promise<Buffer> {
    for (;;) {
      const read = this.#process.stdout.read(octets) as Buffer | null;
      if (read !== null) return read;
      if (this.#process.exitCode !== null || this.#process.stdout.readableEnded)
        throw new Error("python3 cannot load libmodsecurity3.");
      await new Promise((resolve) => {
        this.#process.stdout.once("readable", resolve);
      });
    }
  }

  end(): void {
    this.#process.stdin.end();
  }
}
