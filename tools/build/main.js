// Runs as `prepare`, at the end of `npm ci`: also on an older Node.js, and where development dependencies were left
// out.
import { nodeComplaint } from "../../bin/node-complaint.js";

const complaint = nodeComplaint();
if (complaint !== undefined) {
  console.log(`Zoneward is not built: it ${complaint}. npm found no package of it for ${process.platform}`);
  console.log(`on ${process.arch}: install Node.js from https://nodejs.org, then run \`npm ci\` again.`);
} else {
  try {
    const { build } = await import("./build.ts");
    await build();
  } catch (error) {
    if (!/^Cannot find package '(?:vite|rolldown)'/.test(error instanceof Error ? error.message : ""))
      throw error;
    console.log(
      "Zoneward is not built: what builds it are development dependencies, and those are not installed.",
    );
  }
}
