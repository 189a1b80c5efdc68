// The finder as the repository serves it (R34): over the embedded engine, with its figures and what is answered while
// there is not an index.

import { describe, expect, test } from "bun:test";
import { GUEST } from "../../src/auth/account.ts";
import { runtimeOf } from "../../src/main/repository/runtime.ts";
import { aContent, titled } from "../support/world/items.ts";
import { asked, words } from "../support/world/search.ts";
import { viewerOf } from "../support/world/seeded.ts";
import { setUpWorld } from "../support/world.ts";

const served = setUpWorld({
  served: { setUp: true, settings: { SVC_MINT_ITEM_ARKS: "off", SVC_METRICS: "public" } },
});

describe("R34 the search of the repository", () => {
  test("R34 what was published is found at once, in the embedded index, and counted in the figures", async () => {
    const { finder } = runtimeOf(served.parts);
    const owner = viewerOf(await served.account("ada", [3]));
    const [type] = await served.store.settings.itemTypes();
    const content = aContent({ itemType: type?.id ?? 0, metadata: titled("図書館の潮流") });
    const { item } = await served.items.createAndPublish(owner, { content, owner: owner.account?.id ?? 0 });
    const found = await finder.find(GUEST, asked({ where: words("書館 潮流") }));
    expect(found.items.map(({ item: { id } }) => id)).toEqual([item.id]);
    await served.items.remove(owner, item.id);
    expect((await finder.find(GUEST, asked({ where: words("書館") }))).total).toBe(0);
    const metrics = await (
      await served.handler(new Request("http://localhost/metrics"), { addressOf: () => "192.0.2.1" })
    ).text();
    expect(metrics).toContain('arkstone_search_queries_total{kind="page"} 2');
    expect(metrics).toContain('arkstone_search_documents{engine="embedded"} 0');
    expect(metrics).toContain("arkstone_search_lag_seconds 0");
  });
});
