import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

const server = process.env["API_URL"] ?? "http://127.0.0.1:8787";

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  // The build of `rregex` for browsers, which its package offers to no `import`.
  resolve: { tsconfigPaths: true },
  build: {
    target: "es2023",
    // The policy of the server forbids inline scripts and data: fonts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    manifest: true,
  },
  server: { proxy: { "/client": server, "/session": server, "/gateway/v1": server } },
});
