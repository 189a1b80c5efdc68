// The two entrances of the tool server, refused in each way that their transport describes (R30, R32).
import { expect, test } from "bun:test";
import { askAt, provoke, ROWS } from "../support/described-operations.ts";
import { setUpWorld } from "../support/world.ts";

const world = setUpWorld({ repository: true });
const ENTRANCES = ROWS.filter(({ path }) => /^\/mcp(?:-auth)?$/.test(path));
const HEADERS = { "content-type": "application/json", accept: "application/json, text/event-stream" };
const NOTE = JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" });

test.each([
  ["a notification", 202, NOTE, {}],
  ["what is not JSON", 400, "{", {}],
  ["a page of another site", 403, NOTE, { origin: "https://other.example" }],
  ["a client that accepts neither JSON nor events", 406, NOTE, { accept: "text/html" }],
  ["more bytes than any call has", 413, NOTE, { "content-length": "99999999" }],
  ["a body of another media type", 415, NOTE, { "content-type": "text/plain" }],
] as const)("R30 R32 %s is answered %p, as described", async (_what, status, body, more) => {
  const ask = askAt(world.handler, world.people.system.token, ({ path }) => path);
  const given = () => ({ body, headers: { ...HEADERS, ...more } });
  expect(await provoke(ENTRANCES, ask, status, given)).toEqual({ faults: [], unmet: [] });
  expect(ENTRANCES.every(({ statuses }) => statuses.includes(status))).toBe(true);
});
