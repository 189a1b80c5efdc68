// The commands of docs/record-files.md, as they are there, against a repository process (R37).
import { expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { depositInstallation } from "../support/deposit-installation.ts";
import { run } from "../support/run.ts";

const TOOLS = ["bash", "curl", "sed", "split", "cmp", "head"];
const missing = TOOLS.filter((tool) => spawnSync("sh", ["-c", `command -v ${tool}`]).status !== 0);
if (missing.length > 0)
  console.error(`The commands of docs/record-files.md are not run: ${missing.join(", ")} is missing`);

const guide = readFileSync(join(import.meta.dirname, "..", "..", "docs", "record-files.md"), "utf8");

test("S3.6.106: every command of the guide of files names a route of the interface, by a method that it has", () => {
  const document = join(import.meta.dirname, "..", "..", "src", "assets", "openapi-repository.json");
  const { paths } = JSON.parse(readFileSync(document, "utf8")) as { readonly paths: Readonly<Record<string, object>> };
  const blocks = [...guide.matchAll(/```(?:sh)?\n([\s\S]*?)```/g)].map(([, block = ""]) => block).join("\n");
  const calls = blocks
    .replaceAll("\\\n", " ")
    .split("\n")
    .flatMap((line) => {
      const [, path] = /"\$BASE(\/[^"]*)"/.exec(line) ?? [];
      const [, method = line.includes("json ") ? "POST" : "GET"] = /-X (\w+)/.exec(line) ?? [];
      return path === undefined ? [] : [[method.toLowerCase(), path] as const];
    });
  const known = ([method, path]: (typeof calls)[number]): string[] =>
    Object.entries(paths).flatMap(([template, methods]) => {
      const pattern = new RegExp(`^${template.replace(/\{\w+\}/g, "[^/]+")}$`);
      return pattern.test(path) && method in methods ? [template] : [];
    });
  expect(calls.map((call) => [call, known(call).length])).toEqual(calls.map((call) => [call, 1]));
  expect(calls.map(([method]) => method)).toEqual([
    ...["post", "post", "put", "post", "post", "post", "post"],
    ...["post", "get", "get", "get", "get", "post", "post", "delete"],
  ]);
});

test.skipIf(missing.length > 0)(
  "S3.6.106: every command of the guide of files does what the guide describes",
  async () => {
    const blocks = [...guide.matchAll(/```sh\n([\s\S]*?)```/g)].map((match) => match[1] ?? "");
    expect(blocks).toHaveLength(3);
    const installation = await depositInstallation("record-files-guide");
    const server = await installation.start({ env: { SVC_BASE_URL: `http://127.0.0.1:${installation.port}` } });
    try {
      const token = await installation.setup.client();
      const folder = join(installation.folder, "work");
      mkdirSync(folder);
      const script = `set -eu -o pipefail\nBASE=${server.base}\nTOKEN=${token}\n${blocks.join("\n")}\necho; echo DRAFT=$DRAFT NEXT=$NEXT`;
      const { code, output: out } = await run(["bash", "-c", script], { cwd: folder });
      expect([code, code === 0 ? "" : out]).toEqual([0, ""]);
      expect(out).toContain('"key":"data/tides.csv"');
      expect(out).toMatch(/"checksum":"multipart:[0-9a-f]{32}-3-5242880"/);
      const next = /NEXT=(\d+)/.exec(out)?.[1] ?? "";
      const list = await fetch(`${server.base}/api/records/${next}/draft/files`, {
        headers: { authorization: `Bearer ${token}` },
      });
      const { entries } = (await list.json()) as { readonly entries: readonly { readonly key: string }[] };
      expect(entries.map(({ key }) => key)).toEqual(["data/tides.csv"]);
      expect(readFileSync(join(folder, "all.zip")).subarray(0, 4).toString("latin1")).toBe("PK\u0003\u0004");
      if (spawnSync("sh", ["-c", "command -v unzip"]).status === 0) {
        expect(spawnSync("unzip", ["-tq", join(folder, "all.zip")]).status).toBe(0);
      }
    } finally {
      await server.kill("SIGTERM");
      await installation.close();
    }
  },
);
