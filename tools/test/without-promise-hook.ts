import asyncHooks from "node:async_hooks";

// Loaded before `node:test`, which follows each promise to know the test of an error outside of all promises: a tenth
// of the CPU of tests over HTTP. Such an error fails the file all the same.
const { createHook } = asyncHooks;
asyncHooks.createHook = (callbacks) => createHook({ ...callbacks, trackPromises: false });
