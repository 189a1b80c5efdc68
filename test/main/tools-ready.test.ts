// When `arkstone mcp --http` reports that it can do its work (R30, R34): the tools of a process that cannot search yet
// would all answer 503.
import { afterAll, expect, test } from "bun:test";
import { readConfig } from "../../src/config.ts";
import { openTools } from "../../src/main/repository/serving.ts";
import { eventually } from "../support/eventually.ts";
import { temporaryFolder } from "../support/processes.ts";
import { quietLog } from "../support/quiet-log.ts";

const folder = temporaryFolder("tools-ready");
afterAll(() => folder.remove());

test("S3.7.416 R30: the tools in their own process are ready when they can search, and not before", async () => {
  const service = await openTools(readConfig({ SVC_DATA_DIR: folder.path }), quietLog);
  try {
    expect(await service.notReady()).toContain("The search index is not open");
    service.start();
    expect(await eventually("the index is open", async () => (await service.notReady()).length === 0)).toBe(true);
  } finally {
    await service.close();
  }
});
