// What changes a filled repository, over HTTP: publishing, editing, and a change of a person that all their items follow.
import type { AuthorContent } from "../../src/model/agents/author.ts";
import { type Shape, textsOf } from "../fill/content.ts";
import { publishWork } from "../fill/publishing.ts";
import type { Ask, Json } from "../fill/repository.ts";
import { type Server, usedBy } from "../lib.ts";
import { type Filled, send, sendJson } from "./filled.ts";
import { get, type Operation, type Row } from "./measuring.ts";

/** A change reaches the items of whoever has about these many. */
const FOLLOWING_ITEMS = 20_000;
const POLL_MS = 100;

export function changes(filled: Filled, server: Server): readonly Operation[] {
  const { base, samples, shapes, works, persons } = filled;
  const token = base.admin;
  // Identifiers that no run before has used.
  const first = works + (Math.floor(Date.now() / 1_000) % 1_000_000_000);
  let sent = 0;
  const ask: Ask = (who, method, path, body) => sendJson(server, path, { token: who, method, body });
  const publish = async (shape: Shape): Promise<number> => {
    const texts = textsOf(first + sent, shape, persons);
    sent += 1;
    await publishWork(ask, base, shape, texts);
    return JSON.stringify(texts).length;
  };
  const [usual] = shapes.filter(({ kind, files }) => kind === "published" && files.length === 1);
  if (usual === undefined) throw new RangeError("No work has one file");
  const whole: Shape = { ...usual, creators: 3, linked: 2, versions: 0, community: 0, index: 0, owner: 0 };
  const bare: Shape = { ...whole, files: [], community: null, index: null };
  const edit = async (n: number): Promise<number> => {
    const id = samples[(n + 100) % samples.length]?.id;
    const path = `/api/records/${id}/draft`;
    const { metadata, files } = await sendJson(server, path, { token, method: "POST" });
    const changed = { ...(metadata as Json), version: `${first}.${n}` };
    const { length } = await send(server, path, { token, method: "PUT", body: { metadata: changed, files } });
    return length + (await send(server, `${path}/actions/publish`, { token, method: "POST" })).length;
  };
  const titled = (n: number): string => encodeURIComponent(samples[n % samples.length]?.title ?? "");
  return [
    { name: "publish: create, publish with ARK", call: () => publish(bare) },
    { name: "publish with a file, in a community and an index", call: () => publish(whole) },
    { name: "edit of a published record", call: edit },
    { name: "duplicate check", call: get(server, (n) => `/api/records/duplicates?title=${titled(n)}`, { token }) },
  ];
}

/** The change of a person whose items follow: for each of them. */
export async function person({ base, sql }: Filled, server: Server): Promise<Row> {
  const [author] = await sql<{ id: number; items: number; content: string }>(
    `select a.id, a.content, l.items from author a join (
      select author_id, count(*) as items from item_author group by author_id
      ) as l on l.author_id = a.id order by abs(l.items - ${FOLLOWING_ITEMS}), a.id limit 1`,
  );
  if (author === undefined) throw new RangeError("Nobody has items");
  const content: AuthorContent = JSON.parse(author.content);
  const emailInfo = [{ email: `person-${Date.now()}@example.org` }];
  const [before, startedAt] = [usedBy(server), performance.now()];
  const body = { author: { ...content, emailInfo }, force_change: true };
  await send(server, `/api/v1/authors/${author.id}`, { token: base.admin, method: "PUT", body });
  while ((await sql(`select 1 from author_propagation where author_id = ${author.id}`)).length > 0) {
    await Bun.sleep(POLL_MS);
  }
  const items = Number(author.items);
  const [cpu, each] = [((usedBy(server) - before) * 1_000) / items, (performance.now() - startedAt) / items];
  return { name: "change of a person, an item", count: items, "CPU ms": cpu, "p50 ms": each, "p99 ms": each, KB: 0 };
}
