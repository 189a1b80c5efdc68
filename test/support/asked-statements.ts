// A repository that was asked something of each kind, with every statement that it ran: what tests of their cost go
// over (R9b).
import type { OnStatement } from "../../db/engine/statement-listener.ts";
import type { ItemFilter } from "../../src/repository/store/items.ts";
import { cratePackage } from "./deposit-requests.ts";
import { RECORD, recordCalls } from "./record-calls.ts";
import { anAgent, authors } from "./world/authors.ts";
import { INDEXES, recidOf, repositoryWorld } from "./world/repository.ts";
import { COMMUNITY } from "./world/seeded.ts";

export type AskedStatement = { readonly text: string; readonly parameters: readonly unknown[] };

const BOUNDS = /^(?:begin|start transaction|commit|rollback|savepoint|release|pragma|set )\b/;
const JSON_TYPE = { "content-type": "application/json" };

/** Runs all requests, and returns each statement once for each kind of its parameters. */
export async function askedStatements(url?: string) {
  const statements = new Map<string, AskedStatement>();
  const onStatement: OnStatement = (text, parameters) => {
    if (BOUNDS.test(text)) return;
    // Of a list the length decides what is read.
    const size = parameters.reduce<number>((sum, each) => sum + (typeof each === "string" ? each.length : 1), 0);
    const known = statements.get(text);
    if (known === undefined || sizeOf(known) < size) statements.set(text, { text, parameters });
  };
  const plain = await repositoryWorld({ onStatement, ...(url === undefined ? {} : { url }) });
  const world = { ...plain, ...(await authors(plain)) };
  const calls = recordCalls(world);
  const send = async (who: Parameters<typeof world.ask>[0], method: string, path: string, body?: object) => {
    const sent = body === undefined ? {} : { headers: JSON_TYPE, body: JSON.stringify(body) };
    const answer = await world.ask(who, method, path, sent);
    if (answer.status >= 400) throw new Error(`${method} ${path}: ${answer.status} ${answer.text.slice(0, 300)}`);
    return answer;
  };

  const deposited = recidOf(await world.deposit("registered", cratePackage()));
  await world.replace("registered", deposited, cratePackage());
  const name = { language: "en", familyName: "Doe", firstName: "Ada", nameFormat: "familyNmAndNm", nameShowFlg: true };
  const author = await world.author({ authorNameInfo: [name], authorIdInfo: [] });
  const other = await world.author({ authorNameInfo: [{ ...name, firstName: "Bo" }], authorIdInfo: [] });
  const linked = await world.publish(anAgent({ authorId: author.id }), anAgent({ authorId: other.id }));
  await world.change(author, { authorNameInfo: [{ ...name, firstName: "Adah" }] }, true);
  await world.runner().runDue();

  const record = await calls.published("registered", {
    ...RECORD,
    metadata: { ...RECORD.metadata, languages: [{ id: "eng" }, { id: "none" }], rights: [{ id: "cc-by-4.0" }] },
  });
  await calls.revised("registered", record, "On tides again");
  const version = await calls.version("registered", record, "On tides, second edition");
  const removed = await calls.published("registered");
  await calls.remove("admin", removed);
  const draft = await calls.create("registered");
  await send("registered", "PUT", `/api/records/${draft}/draft/review`, {
    receiver: { community: COMMUNITY },
    type: "community-submission",
  });
  const submitted = await send("registered", "POST", `/api/records/${draft}/draft/actions/submit-review`);
  const request = String(submitted.json.id);
  await send("registered", "POST", `/api/requests/${request}/comments`, {
    payload: { content: "Please", format: "html" },
  });
  const filed = await calls.create("registered", { ...RECORD, files: { enabled: true } });
  await send("registered", "POST", `/api/records/${filed}/draft/files`, [{ key: "a.txt" }, { key: "b.txt" }]);

  await send("registered", "PUT", `/api/v1/items/${deposited}/indexes`, { indexes: [INDEXES.open] });
  const change = { items: [deposited, linked.id], change: { publish_status: "public" } };
  await send("registered", "POST", "/api/v1/bulk-changes", { ...change, dry_run: true });
  const started = await send("registered", "POST", "/api/v1/bulk-changes", { ...change, items: [deposited] });
  const bulk = String(started.json.id);

  const workflow = await world.workflow();
  const { token } = await world.token("registered", undefined, { registrationType: 2, workflow });
  const waiting = await world.deposit({ token }, cratePackage());
  if (waiting.status !== 202) throw new Error(`A deposit through a workflow: ${waiting.status} ${waiting.text}`);
  const activities = "/api/v1/workflow/activities";

  for (const [who, path] of [
    ...(["registered", "approver", "curator", "admin"] as const).flatMap((who) =>
      (["todo", "wait", "all"] as const).map((condition) => [who, `${activities}?condition=${condition}`] as const),
    ),
    [null, "/"],
    [null, `/records/${deposited}`],
    [null, `/records/${record}`],
    ["other", `/records/${version}`],
    [null, `/records/${linked.id}`],
    [null, `/index/${INDEXES.open}`],
    [null, "/search?q=tides"],
    [null, "/api/records?q=tides"],
    [null, "/api/records?q=tides&sort=newest&size=5"],
    ["registered", "/api/user/records?q="],
    [null, `/api/records/${version}`],
    [null, `/api/records/${version}/versions`],
    [null, `/api/records/${version}/versions/latest`],
    ["registered", `/api/records/${draft}/draft`],
    ["registered", `/api/records/${filed}/draft/files`],
    ["registered", `/api/requests/${request}`],
    ["registered", `/api/requests/${request}/timeline`],
    ["registered", "/api/requests?q=tides"],
    ["manager", "/api/requests"],
    [null, "/api/communities?q=c"],
    [null, "/api/communities/c1"],
    ["manager", `/api/communities/${COMMUNITY}/members`],
    ["manager", `/api/communities/${COMMUNITY}/requests`],
    [null, `/api/communities/${COMMUNITY}/records`],
    ["registered", "/api/user/communities"],
    [null, "/api/vocabularies"],
    [null, "/api/vocabularies/languages?q=eng"],
    [null, "/api/vocabularies/languages/eng"],
    [null, "/api/languages?suggest=jap"],
    ...["people", "licenses", "journals", "indexes", "communities"].map(
      (source) => ["registered", `/api/suggestions/${source}?q=c`] as const,
    ),
    [null, "/api/vocabularies/licenses?sort=newest&page=2"],
    ["registered", "/api/names?q=Doe"],
    [null, `/api/v1/records/${deposited}`],
    [null, "/api/v1/records?title=tides"],
    [null, "/api/v1/tree/index"],
    ["admin", "/api/v1/tree/index"],
    [null, "/api/opensearch/search?q=tides&format=atom"],
    ["admin", "/api/v1/authors?name=Doe"],
    ["admin", `/authors/${author.id}`],
    [null, "/oai?verb=Identify"],
    [null, "/oai?verb=ListSets"],
    [null, "/sitemap.xml"],
    [null, "/sitemap/1"],
    ["registered", `/sword/deposit/${deposited}`],
    ["registered", "/sword/service-document"],
    ["registered", "/api/user"],
    ["registered", `/api/v1/items/${deposited}/indexes`],
    ["registered", `/api/v1/bulk-changes/${bulk}`],
    ...["kind=item_mint", "state=failed", "kind=item_mint&state=failed", "subject=1", ""].map(
      (query) => ["system", `/api/v1/admin/jobs?${query}`] as const,
    ),
    ...["account=3", "action=item.publish", `subject=item:${deposited}`, "since=2020-01-01&until=2100-01-01", ""].map(
      (query) => ["system", `/api/v1/admin/audit?${query}`] as const,
    ),
  ] as const) {
    const answer = await world.ask(who, "GET", path);
    if (answer.status >= 500) throw new Error(`${path}: ${answer.status} ${answer.text.slice(0, 300)}`);
    paths.set(path, answer.status);
  }
  const owner = world.people.registered.account.id;
  const sight = { account: owner, groups: [1], communities: [COMMUNITY], indexes: [INDEXES.open], today: "2026-01-01" };
  const filters: readonly ItemFilter[] = [
    { parent: (await world.item(deposited)).parentId },
    { index: INDEXES.open },
    { owner },
    { withoutArk: true },
  ];
  for (const filter of filters) await world.store.items.listItemIds(filter, null, 10);
  for (const filter of filters.slice(0, 2)) {
    await world.store.items.listItemIds({ ...filter, visibleTo: sight }, null, 10);
  }
  await send("system", "PUT", `/api/v1/tree/index/${INDEXES.below}`, {
    index: { index_name: "変更", index_name_english: "Changed" },
  });
  return { world, statements: [...statements.values()], paths };
}

const sizeOf = ({ parameters }: AskedStatement): number =>
  parameters.reduce<number>((sum, each) => sum + (typeof each === "string" ? each.length : 1), 0);

const paths = new Map<string, number>();
