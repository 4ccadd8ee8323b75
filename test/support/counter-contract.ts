import { keccak256, parseAbi, toHex } from "viem";

/** The interface of `counterCode` for its callers: `next` counts on, and tells its storage and its logs. */
export const counterAbi = parseAbi(["function next() returns (uint256)", "event Counted(uint256 count)"]);

const topic = keccak256(toHex("Counted(uint256)")).slice(2);
const assembly = [
  ["6001", "push 1"],
  ["5f54", "load slot 0"],
  ["01", "add"],
  ["805f55", "store it"],
  ["5f52", "and keep it in memory"],
  [`7f${topic}`, "push the topic"],
  ["60205fa1", "log the word"],
  ["60205ff3", "return it"],
] as const;
const runtime = assembly.map(([code]) => code).join("");
const length = (runtime.length / 2).toString(16).padStart(2, "0");

/** Creation code: copies what stands behind its own ten bytes. */
export const counterCode = `0x60${length}600a5f3960${length}5ff3${runtime}` as const;
