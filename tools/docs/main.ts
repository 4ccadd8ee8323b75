import { writeFileSync } from "node:fs";

import { generatedPages } from "./pages.ts";

for (const [path, render] of Object.entries(generatedPages)) writeFileSync(path, render());
