// The commands of docs/exports.md, as they are there, against a record with enough metadata (R38).
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { EXPORT_FORMATS } from "../../src/repository/exports/formats.ts";
import { titled } from "../support/world/items.ts";
import { setUpWorld } from "../support/world.ts";

const guide = readFileSync(join(import.meta.dirname, "..", "..", "docs", "exports.md"), "utf8");
const COMMAND = /^curl (?:-H '([^:]+): ([^']+)' )?'http:\/\/127\.0\.0\.1:8002([^']+)'$/gm;

const world = setUpWorld({ pages: true });

test("S3.6.216 every command of the guide of exports gives the document it speaks of", async () => {
  const { id } = await world.publish({ metadata: titled("Records of tides") });
  const commands = [...guide.matchAll(COMMAND)];
  expect(commands).toHaveLength(guide.match(/^curl /gm)?.length ?? 0);
  expect(commands.length).toBeGreaterThan(4);
  for (const [, name = "", value = "", path = ""] of commands) {
    const asked = path.replace("/records/7", `/records/${id}`);
    const { status, headers } = await world.visitor().get(asked, name === "" ? {} : { [name.toLowerCase()]: value });
    expect([asked, value, status]).toEqual([asked, value, 200]);
    expect(headers.get("content-type")).not.toContain("text/html");
    if (name === "Accept") expect(headers.get("content-type")).toContain(value.split(";")[0] ?? "");
  }
});

test("S3.6.216 the guide of exports names every format with its media type", () => {
  const table = guide.slice(guide.indexOf("| format |"), guide.indexOf("## Endpoints"));
  for (const { id, mediaType } of EXPORT_FORMATS) {
    expect(table).toContain(`\`${id}\``);
    expect([id, table.includes(mediaType) || id === "datacite-xml"]).toEqual([id, true]);
  }
});
