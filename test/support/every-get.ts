import { operations } from "../../src/server/operations.ts";
import { byKey, type TestApp } from "./harness.ts";

/** Ids of one collection that are asked for. */
const idsMax = 3;

/** The answer of every GET by its path: of every operation, for the ids that the lists above it hold. */
export async function everyGet(app: TestApp): Promise<ReadonlyMap<string, string>> {
  const answers = new Map<string, string>();
  const get = async (path: string): Promise<string> => {
    const known = answers.get(path);
    if (known !== undefined) return known;
    const { status, text } = await app.request("GET", path, { headers: byKey });
    const answer = `${status} ${text}`;
    answers.set(path, answer);
    return answer;
  };
  const idsIn = (answer: string): string[] => {
    if (!answer.startsWith("200 {")) return [];
    const { result } = JSON.parse(answer.slice("200 ".length)) as { result: unknown };
    if (!Array.isArray(result)) return [];
    return (result as { id?: unknown }[])
      .flatMap(({ id }) => (typeof id === "string" ? [encodeURIComponent(id)] : []))
      .slice(0, idsMax);
  };
  const pathsOf = async (pattern: string): Promise<string[]> => {
    const last = pattern.lastIndexOf("{");
    if (last === -1) return [pattern];
    const after = pattern.slice(pattern.indexOf("}", last) + 1);
    const paths: string[] = [];
    for (const parent of await pathsOf(pattern.slice(0, last - 1))) {
      for (const id of idsIn(await get(parent))) paths.push(`${parent}/${id}${after}`);
    }
    return paths;
  };
  for (const { method, path, isAtRoot, access } of operations) {
    if (method !== "GET" || isAtRoot || access === "credentials") continue;
    for (const each of await pathsOf(path)) await get(each);
  }
  return answers;
}
