/** The path to which a browser sends its answer. */
export const answerPath = "/cdn-cgi/challenge-platform/answer";

/**
 * Solves the puzzle of a page in the browser, sends the answer and requests the page again. It has its own
 * SHA-256, as browsers offer one only on pages over HTTPS, and computes only the first word of the digest.
 */
export const challengeScript = `"use strict";
(() => {
  const { puzzle, seed, bits, method, interactive } = document.currentScript.dataset;
  const state = document.getElementById("state");
  const button = document.getElementById("go");
  const passed = "challenge passed at";
  const primes = [];
  for (let n = 2; primes.length < 64; n += 1) if (primes.every((prime) => n % prime)) primes.push(n);
  const fraction = (number) => ((number % 1) * 2 ** 32) | 0;
  const constants = primes.map((prime) => fraction(Math.cbrt(prime)));
  const start = primes.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));
  const turn = (word, by) => (word >>> by) | (word << (32 - by));
  const words = new Int32Array(64);
  // Of at most 55 characters.
  const firstWord = (text) => {
    words.fill(0);
    for (let at = 0; at < text.length; at += 1) words[at >> 2] |= text.charCodeAt(at) << (24 - 8 * (at & 3));
    words[text.length >> 2] |= 128 << (24 - 8 * (text.length & 3));
    words[15] = 8 * text.length;
    for (let at = 16; at < 64; at += 1) {
      const one = words[at - 15];
      const two = words[at - 2];
      const mixed = (turn(one, 7) ^ turn(one, 18) ^ (one >>> 3)) + (turn(two, 17) ^ turn(two, 19) ^ (two >>> 10));
      words[at] = words[at - 16] + words[at - 7] + mixed;
    }
    let [a, b, c, d, e, f, g, h] = start;
    for (let at = 0; at < 64; at += 1) {
      const mixed = (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g));
      const next = (h + mixed + constants[at] + words[at]) | 0;
      const most = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
      h = g;
      g = f;
      f = e;
      e = (d + next) | 0;
      d = c;
      c = b;
      b = a;
      a = (next + most) | 0;
    }
    return a + start[0];
  };
  const fail = (text) => {
    state.textContent = text;
    button.textContent = "Try again";
    button.onclick = () => location.reload();
    button.hidden = false;
  };
  const send = async (answer) => {
    try {
      const { status } = await fetch("${answerPath}", { method: "POST", body: new URLSearchParams({ puzzle, answer }) });
      if (status !== 200) return fail("The check did not succeed.");
      state.textContent = "Done. The page is loaded.";
      sessionStorage.setItem(passed, Date.now());
      if (method === "GET") location.reload();
      else location.replace(location.pathname + location.search);
    } catch {
      fail("The connection was lost.");
    }
  };
  const search = (from) => {
    let number = from;
    for (const end = performance.now() + 30; performance.now() < end; )
      for (const last = number + 500; number < last; number += 1)
        if (Math.clz32(firstWord(seed + "." + number)) >= bits) return send(number);
    setTimeout(search, 0, number);
  };
  const begin = () => {
    button.hidden = true;
    state.textContent = "This takes a moment.";
    search(0);
  };
  if (!navigator.cookieEnabled) fail("Cookies are blocked: they have to be allowed for this site.");
  // A site that asks again at once would do so without end.
  else if (interactive === "" || Date.now() - sessionStorage.getItem(passed) < 10_000) {
    state.textContent = "Confirm that you are a person.";
    button.onclick = begin;
    button.hidden = false;
  } else begin();
})();
`;
