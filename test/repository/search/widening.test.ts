// Questions that few items answer (R27c): those that answer the whole question come before those with some of its words.
import { expect, test } from "bun:test";
import { GUEST, REPOSITORY_OPERATOR } from "../../../src/auth/account.ts";
import { readerQuestion } from "../../../src/repository/search/query/reader-question.ts";
import { widening } from "../../../src/repository/search/query/widening.ts";
import { aContent, titled } from "../../support/world/items.ts";
import { asked, searching } from "../../support/world/search.ts";
import { openWorld } from "../../support/world.ts";

async function opened() {
  const world = await openWorld({ items: { arks: false } });
  const search = await searching(world);
  const owner = (await world.person([3])).account?.id ?? 0;
  const publish = async (title: string, given: readonly string[] = []): Promise<number> => {
    const creators = given.map((name) => ({
      ...{ kind: "personal" as const, alternatives: [], ids: [], emails: [], affiliations: [] },
      names: [{ family: "Åkesson", given: name }],
    }));
    const content = aContent({ metadata: titled(title, { creators }) });
    return (await world.items.createAndPublish(REPOSITORY_OPERATOR, { content, owner })).item.id;
  };
  const find = async (text: string) => {
    const question = readerQuestion(new Map([["q", [text]]]), await search.finder.settings(), "records");
    const found = await widening(search.finder).find(GUEST, asked(question));
    return { isWidened: found.isWidened, ids: found.items.map(({ item }) => item.id) };
  };
  return { publish, find, [Symbol.asyncDispose]: search.close };
}

test("R27c items with all that is asked for come before those with some of the words, wherever these are", async () => {
  await using to = await opened();
  const both = await to.publish("Rivers of the north and of the south, and what is known of them", ["Klaus", "Göran"]);
  const titles = [await to.publish("Åkesson"), await to.publish("G. Åkesson", ["Joanna"])];
  const { isWidened, ids } = await to.find("K. Åkesson & G. Åkesson");
  expect([isWidened, ids[0], new Set(ids)]).toEqual([true, both, new Set([both, ...titles])]);
});

test("R27c a Japanese question ranks by its words, not by what particles are next to", async () => {
  await using to = await opened();
  const bridges = await to.publish("木橋の目録");
  const logs = await to.publish("流木の毎時記録");
  const { isWidened, ids } = await to.find("木の橋の研究");
  expect([isWidened, ids]).toEqual([true, [bridges, logs]]);
});
