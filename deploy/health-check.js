// Ends with 0 when the server on this machine says that it runs.
// It is JavaScript, so that nothing is compiled for one request.
import { get as getOverHttp } from "node:http";
import { get as getOverTls } from "node:https";

const port = process.env.ZONEWARD_PORT ?? "8787";
const path = `127.0.0.1:${port}/healthz`;

/**
 * The server is asked whether it runs, not who it is: its certificate may be of any CA.
 * @param {typeof getOverTls} get
 * @param {string} url
 */
const isOk = async (get, url) =>
  new Promise((resolve) => {
    const request = get(url, { rejectUnauthorized: false, timeout: 4_000 }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    request.on("timeout", () => request.destroy());
    request.on("error", () => resolve(false));
  });

const isRunning = (await isOk(getOverTls, `https://${path}`)) || (await isOk(getOverHttp, `http://${path}`));
process.exitCode = isRunning ? 0 : 1;
