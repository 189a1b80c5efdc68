// How long a test or a hook may take where it does not set a time (bunfig.toml loads this before `bun test`). Bun takes
// no such time from its settings, forgets one that was set when the next file begins, and gives hooks five seconds: so
// each test file begins by setting it.
import { readFileSync } from "node:fs";
import { plugin } from "bun";
import { runArguments } from "./run-arguments.ts";

/** As long as on Deno (bun-test-on-deno.ts): the machines it runs on are slow and busy. */
const TIMEOUT_MS = 60_000;

/** `bun test --timeout …` counts more than this file. */
const isSpecified = runArguments().some((word) => word.startsWith("--timeout"));

plugin({
  name: "default timeout",
  setup(build) {
    if (isSpecified) return;
    build.onLoad({ filter: /\.(?:test|long)\.ts$/ }, ({ path }) => ({
      // On the line of the file's first: the numbers of all lines stay.
      contents: `import { setDefaultTimeout as __default } from "bun:test"; __default(${TIMEOUT_MS}); ${readFileSync(path, "utf8")}`,
      loader: "ts",
    }));
  },
});
