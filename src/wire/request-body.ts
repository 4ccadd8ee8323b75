import type { IncomingMessage } from "node:http";

/**
 * Reads a body. Resolves with undefined as soon as it is known to have more than `bytesMax` octets, and leaves the rest
 * unread. Rejects when the connection ends before the body.
 */
export function readBody(request: IncomingMessage, bytesMax: number): Promise<Buffer | undefined> {
  if (Number(request.headers["content-length"] ?? 0) > bytesMax) return Promise.resolve(undefined);
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    let bytes = 0;
    const take = (part: Buffer): void => {
      bytes += part.length;
      if (bytes <= bytesMax) {
        parts.push(part);
        return;
      }
      request.off("data", take);
      resolve(undefined);
    };
    request.on("data", take);
    request.on("end", () => {
      const [first] = parts;
      resolve(first !== undefined && parts.length === 1 ? first : Buffer.concat(parts));
    });
    request.on("error", reject);
  });
}
