import { createRoot } from "react-dom/client";

const root = document.querySelector("#root");
if (root === null) throw new Error("index.html has no #root");

// Apart from React itself, which comes first, and at the same time over a slow link.
try {
  const { app } = await import("./app.tsx");
  createRoot(root).render(app);
} catch (error) {
  const heading = root.querySelector("h1");
  if (heading !== null)
    heading.textContent = "The dashboard could not be loaded. Reload the page to try again.";
  throw error;
}
