// What pages ask of a database that SQLite answers more leniently, on PostgreSQL: lists, activities, signing in (R16,
// R24, R33).

import { expect, test } from "bun:test";
import { onPostgres } from "../support/databases.ts";
import { titled } from "../support/world/items.ts";
import { csrfIn } from "../support/world/pages.ts";
import { openWorld } from "../support/world.ts";

onPostgres("pages", (database) => {
  test("R16 R24 R33 pages answer the same", async () => {
    const world = await openWorld({ pages: true, database });
    const approver = await world.person("approver", [3]);
    const item = await world.publish({
      indexes: [1],
      metadata: titled("On a server"),
      files: [await world.file("x.txt", "x")],
    });
    const { id } = await world.pending({ indexes: [1], metadata: titled("Waits on a server") }, [approver]);
    for (const path of ["/", "/index/1", `/records/${item.id}`]) {
      const page = await world.visitor().get(path);
      expect([path, page.status, page.text.includes("On a server")]).toEqual([path, 200, true]);
    }
    expect((await world.visitor().get(`/records/${item.id}/files/x.txt`)).text).toBe("x");
    const browser = world.visitor();
    await browser.signIn(await world.token(approver));
    expect((await browser.get("/workflow/activities")).text).toContain("Waits on a server");
    expect((await browser.get("/workflow/activities?status=wait")).text).not.toContain("Waits on a server");
    const csrf = csrfIn((await browser.get(`/workflow/activity/detail/${id}`)).text);
    expect((await browser.post(`/workflow/activity/detail/${id}/approve`, { csrf })).status).toBe(303);
    expect((await world.visitor().get("/index/1")).text).toContain("Waits on a server");
  });
});
