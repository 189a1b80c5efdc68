// A process that publishes, revises, deletes, restores and versions items of the database it is given until it is
// killed. It writes to standard output what was committed: one line for each, `<item> <revision>`.
import process from "node:process";
import { openRepositoryStore } from "../../db/repository/store.ts";
import { REPOSITORY_OPERATOR } from "../../src/auth/account.ts";
import { NOW } from "./seed.ts";
import { aContent, aFile, itemsOn } from "./world/items.ts";

const [url = "", owner = "1", name = "w"] = process.argv.slice(2);
const store = await openRepositoryStore({ url, poolSize: 4 });
const items = itemsOn(store, { now: NOW });
const who = REPOSITORY_OPERATOR;
const tell = ({ id, revision }: { readonly id: number; readonly revision: number }): void => {
  process.stdout.write(`${id} ${revision}\n`);
};
const content = (n: number, round: number) =>
  aContent({
    files: [aFile(`${name}-${n}.txt`, { storageKey: `${name}-${n}-${round}` })],
    indexes: [round % 2 === 0 ? 2 : 11],
  });

async function write(n: number): Promise<void> {
  for (let round = 0; ; round += 1) {
    const { item } = await items.createAndPublish(who, { content: content(n, round), owner: Number(owner) });
    tell(item);
    tell((await items.revise(who, item.id, { content: content(n, round + 1) })).item);
    tell((await items.newVersion(who, item.id, { content: content(n, round) })).item);
    tell(await items.remove(who, item.id));
    tell(await items.restore(who, item.id));
  }
}
await Promise.all(Array.from({ length: 4 }, (_, n) => write(n)));
