import { createRoot } from "react-dom/client";

/**
 * Loads the rest apart from React itself, which comes first, and at the same time over a slow link. An `await` of the
 * module itself would keep Rolldown from merging chunks.
 */
async function start(root: HTMLElement): Promise<void> {
  try {
    const { app } = await import("./app.tsx");
    createRoot(root).render(app);
  } catch (error) {
    const heading = root.querySelector("h1");
    if (heading !== null)
      heading.textContent = "The dashboard could not be loaded. Reload the page to try again.";
    throw error;
  }
}

const root = document.querySelector<HTMLElement>("#root");
if (root === null) throw new Error("index.html has no #root");
void start(root);
