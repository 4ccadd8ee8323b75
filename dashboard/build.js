// Runs as `prepare`, also where npm left the development dependencies out.
try {
  const { build } = await import("vite");
  await build({ configFile: `${import.meta.dirname}/vite.config.ts`, logLevel: "warn" });
} catch (error) {
  if (error.code !== "ERR_MODULE_NOT_FOUND" || !error.message.includes("'vite'")) throw error;
  console.log("The dashboard is not built: Vite is a development dependency, and those are not installed.");
}
