// The repository from the command line, next to a repository that runs over the same database (R2b, R2c, R4, R4a, R5,
// R6a, R6b, R8a, R16, R17, R24, R25, R32): what is set here holds there.
import { afterAll, describe, expect, test } from "bun:test";
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { selfCommand } from "../../src/main/child-process.ts";
import { arkstone } from "../support/command-line.ts";
import { cratePackage, tablePackage } from "../support/deposit-requests.ts";
import { eventually } from "../support/eventually.ts";
import { temporaryFolder } from "../support/processes.ts";
import { INDEXES } from "../support/world/repository.ts";
import { setUpWorld } from "../support/world.ts";

const folder = temporaryFolder("repository-cli");
const file = (name: string): string => join(folder.path, name);
const world = setUpWorld({ repository: true });
afterAll(() => {
  folder.remove();
});

const env = () => ({
  SVC_DATABASE_URL: world.config.databaseUrl,
  SVC_DATA_DIR: world.folder,
  SVC_BASE_URL: "https://repo.example.org",
  SVC_ITEM_ARK_CREDENTIAL: "items",
});
const ark = (...args: string[]) => arkstone(env(), args);
async function json(...args: string[]) {
  const result = await ark(...args, "--json");
  expect([args.join(" "), result.code, result.err]).toEqual([args.join(" "), 0, expect.any(String)]);
  return JSON.parse(result.out);
}
async function refused(args: readonly string[], code: number, words: string): Promise<void> {
  const result = await ark(...args);
  expect([args.join(" "), result.code, result.err]).toEqual([args.join(" "), code, expect.stringContaining(words)]);
  expect(result.err.trimEnd().split("\n").length).toBeLessThanOrEqual(3);
}
async function deposited(): Promise<number> {
  const answer = await world.deposit("admin", cratePackage());
  expect(answer.status).toBe(201);
  return Number(String(answer.json["@id"]).split("/").at(-1));
}

describe("a database nobody has used", () => {
  test("R32 `user add --token` is enough to begin: the token deposits linked data over SWORD (message 21 without the client record)", async () => {
    const own = { SVC_DATA_DIR: file("fresh") };
    const result = await arkstone(own, ["user", "add", "ada@example.org", "--role", "system-administrator", "--token"]);
    expect([result.code, result.out]).toEqual([0, expect.stringMatching(/^svc_\w+_[\w-]{43}\n$/)]);
    expect((await arkstone(own, ["user", "list"])).out).toContain("system-administrator");
    const clients = await arkstone(own, ["sword-client", "list", "--json"]);
    expect(JSON.parse(clients.out)).toEqual([expect.objectContaining({ registration_type_id: 1, default_index: 1 })]);
    expect((await arkstone(own, ["index", "list"])).out).toBe("1  Sample Index / サンプル\n");
    expect((await arkstone(own, ["user", "list"])).out).not.toContain("administrator@localhost");
  });
});

describe("people", () => {
  test("R6a R6b R32 an account with a token works at once, is changed, and stops when it is disabled", async () => {
    const made = await json("user", "add", "new@example.org", "--role", "repository-administrator", "--token");
    const who = { token: made.token.token };
    expect((await world.ask(who, "GET", "/sword/service-document")).status).toBe(200);
    expect((await world.deposit(who, cratePackage())).status).toBe(201);
    expect((await json("user", "set", "new@example.org", "--role", "none", "--name", "New")).roles).toEqual([]);
    expect((await world.deposit(who, tablePackage())).status).toBe(403);
    expect((await ark("user", "disable", "new@example.org")).out).toContain("is disabled");
    expect((await world.ask(who, "GET", "/sword/service-document")).status).toBe(403);
    await ark("user", "enable", String(made.id));
    expect((await world.ask(who, "GET", "/sword/service-document")).status).toBe(200);
    await refused(["user", "add", "NEW@example.org"], 1, "Another account has new@example.org already");
    await refused(["user", "add", "x@example.org", "--role", "administrator"], 2, 'There is no role "administrator"');
    // The account and its token are one change.
    await refused(
      ["user", "add", "half@example.org", "--token", "--scopes", "everything"],
      1,
      'Unknown scope "everything"',
    );
    const over = ["--token", "--expires-at", "2020-01-01T00:00:00Z"];
    await refused(["user", "add", "half@example.org", ...over], 1, "A token cannot end at 2020-01-01");
    await refused(["user", "show", "half@example.org"], 1, 'There is no account "half@example.org"');
    await refused(["user", "show", "nobody@example.org"], 1, 'There is no account "nobody@example.org"');
  });

  test("R6b a token is made with fewer scopes, listed without its text, and revoked", async () => {
    const made = await json(
      "token",
      "add",
      "new@example.org",
      "--name",
      "reader",
      "--scopes",
      "item:read",
      "--no-client-record",
    );
    expect(made.scopes).toEqual(["item:read"]);
    const listed = await ark("token", "list", "new@example.org", "--json");
    expect(listed.out).not.toContain(made.token);
    const row = JSON.parse(listed.out).find((each: { client_id: string }) => each.client_id === made.client_id);
    const key = String(row.keys[0]);
    expect(row).toMatchObject({ name: "reader", record: false, keys: [expect.stringMatching(/^\w+$/)] });
    // Somebody holds the token and knows its visible part alone.
    const set = await json("sword-client", "set", key, "--mapping", "sword-default");
    expect([set.client_id, set.mapping_id]).toEqual([made.client_id, 2]);
    expect((await ark("token", "revoke", made.client_id)).out).toBe(`Revoked ${made.client_id}.\n`);
    expect((await world.ask({ token: made.token }, "GET", "/sword/service-document")).status).toBe(403);
    await refused(["token", "add", "new@example.org", "--scopes", "everything"], 1, 'Unknown scope "everything"');
    await refused(["token", "revoke", "nothing"], 1, 'Token or client "nothing" does not exist');
  });

  test("R6a groups and communities have members by e-mail", async () => {
    const account = world.people.registered.account;
    const mail = account.mail ?? "";
    const group = await json("group", "add", "Library staff", "--members", mail);
    expect(group.members).toEqual([account.id]);
    expect(
      (await json("group", "set", String(group.id), "--remove", mail, "--add", "new@example.org")).members.length,
    ).toBe(1);
    await refused(["group", "set", "99", "--name", "x"], 1, 'There is no group "99"');
    const community = await json("community", "add", "maths", "--title-en", "Maths", "--root-index", "1");
    expect(community).toMatchObject({ slug: "maths", title: { en: "Maths", ja: "Maths" }, root_index: 1 });
    expect((await json("community", "member", "maths", mail, "manager")).members).toEqual([
      { account: account.id, role: "manager" },
    ]);
    expect((await json("community", "member", "maths", mail, "none")).members).toEqual([]);
    await refused(
      ["community", "member", "maths", mail, "boss"],
      2,
      "ROLE must be owner, manager, curator, reader or none",
    );
    expect((await json("community", "set", "maths", "--title-ja", "数学")).title).toEqual({ en: "Maths", ja: "数学" });
    expect((await ark("community", "remove", "maths")).out).toBe("Deleted maths.\n");
  });
});

describe("how deposits are taken", () => {
  test("R4 R4a an item type is shown, added and changed by file; a field that holds data stays", async () => {
    await deposited();
    const definition = JSON.parse((await ark("item-type", "show", "1", "--definition")).out);
    const { roCrate: _crate, ...plain } = definition;
    const without = (label: string) => ({
      ...plain,
      groups: plain.groups.filter((group: { label: { en: string } }) => group.label.en !== label),
    });
    writeFileSync(file("less.json"), JSON.stringify(without("Title")));
    await refused(["item-type", "set", "1", file("less.json")], 1, "Cannot remove what holds data");
    writeFileSync(file("own.json"), JSON.stringify({ ...without("Title"), name: { en: "Own", ja: "独自" } }));
    const added = await json("item-type", "add", file("own.json"));
    expect([added.version, added.name.en]).toEqual([1, "Own"]);
    const [group] = plain.groups.filter((each: { kind?: string }) => each.kind === "day");
    writeFileSync(file("crate.json"), JSON.stringify({ root: { dateCreated: group.key } }));
    expect(await json("crate-mapping", "set", String(added.id), file("crate.json"))).toMatchObject({
      id: added.id,
      version: 2,
    });
    expect((await ark("crate-mapping", "list")).out).toContain("mapped");
    expect(JSON.parse((await ark("crate-mapping", "show", String(added.id))).out)).toEqual({
      root: { dateCreated: "pubdate" },
    });
    expect((await json("crate-mapping", "remove", String(added.id))).mapped).toBe(false);
    await refused(["crate-mapping", "show", String(added.id)], 1, "There is no RO-Crate mapping of item type");
    expect((await json("item-type", "set", String(added.id), "--retire")).deleted).toBe(true);
    writeFileSync(file("broken.json"), "{");
    await refused(["item-type", "add", file("broken.json")], 1, "it is not JSON");
    await refused(["item-type", "show", "77"], 1, 'There is no item type "77"');
  });

  test("R14 R17 a mapping, a client record and a format are set", async () => {
    writeFileSync(file("mapping.json"), (await ark("mapping", "show", "1", "--definition")).out);
    const mapping = await json("mapping", "add", "ours", file("mapping.json"));
    expect(mapping).toMatchObject({ name: "ours", kind: "ro-crate", item_type: 1, deleted: false });
    const { clientId } = world.people.registered;
    const record = [
      "sword-client",
      "set",
      clientId,
      "--mapping",
      "ours",
      "--verify-digest",
      "required",
      "--meta-data-api",
      "DataCite",
    ];
    expect(await json(...record)).toMatchObject({
      mapping_id: mapping.id,
      verify_digest: "required",
      meta_data_api: ["DataCite"],
    });
    await refused(["mapping", "set", String(mapping.id), "--retire"], 1, `the client ${clientId} uses it`);
    await refused(["sword-client", "set", clientId, "--mapping", "none such"], 1, 'There is no mapping "none such"');
    expect((await world.deposit("registered", cratePackage())).status).toBe(412);
    expect(await json("sword-client", "set", clientId, "--verify-digest", "none")).toMatchObject({
      verify_digest: null,
    });
    expect(await json("sword-format", "set", "tsv-csv", "--active", "no")).toMatchObject({
      format: "TSV/CSV",
      active: false,
    });
    expect((await world.deposit("admin", tablePackage())).json.error).toBe("TSV/CSV metadata import is not enabled.");
    await ark("sword-format", "set", "tsv-csv", "--active", "yes");
    await refused(["sword-format", "set", "pdf", "--active", "no"], 1, "there are tsv-csv, xml, json");
    await refused(["sword-format", "set", "xml", "--active", "maybe"], 2, "--active must be yes or no");
  });

  test("R6a vocabularies are extended and shipped entries stay", async () => {
    await json(
      "vocabulary",
      "set",
      "licenses",
      "house-1",
      "--en",
      "House licence",
      "--props",
      '{"url":"https://example.org/"}',
    );
    expect((await json("vocabulary", "list", "licenses")).at(-1)).toMatchObject({
      id: "house-1",
      title: { ja: "House licence" },
    });
    expect((await ark("vocabulary", "remove", "licenses", "house-1")).code).toBe(0);
    await refused(["vocabulary", "remove", "removalreasons", "copyright"], 1, "");
    await refused(["vocabulary", "list", "nothing"], 1, 'There is no vocabulary "nothing"');
  });

  test("R16 a deposit waits in the workflow that was made here, is approved, thrown out or cancelled", async () => {
    const workflow = await json(
      "workflow",
      "add",
      "--name-en",
      "Theses",
      "--index",
      "1",
      "--approver-users",
      "new@example.org",
    );
    expect(workflow).toMatchObject({
      item_type: 1,
      actions: ["start", "item_registration", "approval", "end"],
      delete: null,
    });
    const { clientId } = world.people.other;
    await json("sword-client", "set", clientId, "--registration", "workflow", "--workflow", String(workflow.id));
    const waiting = async (): Promise<string> => {
      const answer = await world.deposit("other", cratePackage());
      expect(answer.status).toBe(202);
      return (
        String(Object(Object(answer.json.links)[0])["@id"])
          .split("/")
          .at(-1) ?? ""
      );
    };
    const [first, second, third] = [await waiting(), await waiting(), await waiting()];
    const open = await json("activity", "list");
    expect(open.map(({ id }: { id: string }) => id)).toEqual(expect.arrayContaining([first, second, third]));
    expect(await json("activity", "list", "--older", "30d")).toEqual([]);
    const approved = await json("activity", "approve", first);
    expect(approved).toMatchObject({ state: "finished" });
    expect((await world.item(approved.item)).state).toBe("published");
    expect((await json("activity", "throw-out", second, "--comment", "No licence")).note).toContain("Thrown out");
    expect((await ark("activity", "show", second)).out).toContain("No licence");
    expect((await json("activity", "cancel", third)).state).toBe("cancelled");
    await refused(["activity", "approve", third], 1, "Activity status is not Approval.");
    await refused(["activity", "approve", "A-20000101-00001"], 1, 'Activity "A-20000101-00001" does not exist');
    await refused(["activity", "list", "--older", "soon"], 2, "--older must be like 12h, 30d or 6w");
    await refused(["workflow", "set", String(workflow.id), "--actions", "start,end,end"], 1, "one start and one end");
    expect((await json("workflow", "set", String(workflow.id), "--retire")).deleted).toBe(true);
    expect((await world.deposit("other", cratePackage())).json.error).toBe("Workflow is not for item registration.");
  });
});

describe("items and the tree", () => {
  test("R16a R24 R25 indexes are made, moved and deleted; the items left over are found, and what names one is reported", async () => {
    const top = await json("index", "add", "--name-en", "Theses", "--name-ja", "学位論文", "--public", "yes");
    const below = await json("index", "add", "--parent", String(top.id), "--name-en", "2026");
    expect((await ark("index", "list")).out).toContain(
      `\n${top.id}  Theses / 学位論文\n  ${below.id}  2026  (not public)\n`,
    );
    expect((await json("index", "set", String(below.id), "--public", "yes")).public_state).toBe(true);
    expect((await json("index", "move", String(below.id), "--parent", "0", "--position", "0")).position).toBe(0);
    await refused(["index", "move", "1", "--parent", "1"], 1, "cannot lie below itself");
    await refused(["index", "set", "abc", "--public", "yes"], 2, 'ID must be a number, not "abc"');
    await refused(["index", "remove", "123"], 1, "Index not found: 123.");
    const id = await deposited();
    await ark("item", "unfile", String(id), String(INDEXES.open));
    await ark("item", "file", String(id), String(top.id));
    expect((await world.item(id)).content?.indexes).toEqual([top.id]);
    await json("sword-client", "set", world.people.curator.clientId, "--default-index", String(top.id));
    const removed = await ark("index", "remove", String(top.id));
    expect(removed.out).toContain("1 item left in none");
    expect(removed.err).toBe(
      `Still named by client record ${world.people.curator.clientId}: there it counts as not set\n`,
    );
    const unfiled = await json("item", "list", "--unfiled");
    expect(unfiled).toEqual([expect.objectContaining({ id, access: "private", indexes: [] })]);
  });

  test("R2c R2d an item is hidden, published, deleted and restored, and its ARK follows", async () => {
    const id = await deposited();
    const read = async () => (await world.ask(null, "GET", `/records/${id}`)).status;
    expect(await read()).toBe(200);
    expect((await ark("item", "hide", String(id))).out).toBe(`Item ${id} is private.\n`);
    expect(await read()).not.toBe(200);
    await ark("item", "publish", String(id));
    expect(await read()).toBe(200);
    await refused(["item", "delete", String(id), "--reason", "no such reason"], 1, "removalreasons");
    expect((await ark("item", "delete", String(id), "--note", "Asked for")).out).toBe(`Deleted item ${id}.\n`);
    expect(await read()).toBe(410);
    expect((await ark("item", "restore", String(id))).code).toBe(0);
    expect(await read()).toBe(200);
    expect((await ark("item", "show", String(id))).out).toMatch(/revision {2}\d+ delete /);
  });

  test("R2b erasing asks twice, destroys for good, and the number stays", async () => {
    const id = await deposited();
    await refused(["item", "erase", String(id)], 2, "Nothing brings back what is erased");
    await refused(["item", "erase", String(id), "--revision", "1", "--yes"], 1, "it is the current one");
    expect((await ark("item", "erase", String(id), "--yes")).out).toMatch(/^Erased in \d+ revisions? of item \d+\.\n$/);
    expect((await world.ask(null, "GET", `/records/${id}`)).status).toBe(410);
    await refused(["item", "restore", String(id)], 1, "its content was erased");
    await refused(["item", "show", "987654"], 1, "There is no item 987654");
  });

  test("R13a R2b item show prints files as people wrote them, unseen characters reported, and item erase takes the name it prints", async () => {
    const payload = ["data/tide_2020.csv", "図/写真.png", "a\u202Efdp.exe", "100%25.txt"].map((path) => ({
      path,
      bytes: path,
    }));
    const answer = await world.deposit("admin", cratePackage({}, payload));
    expect(answer.status).toBe(201);
    const id = Number(String(answer.json["@id"]).split("/").at(-1));
    const files = async () =>
      (await ark("item", "show", String(id))).out
        .split("\n")
        .flatMap((line) => /^file {2}(.*) [\d.]+ (?:B|[KMGT]iB) open /.exec(line)?.[1] ?? []);
    expect((await files()).sort()).toEqual(["100%25.txt", "a[U+202E]fdp.exe", "data/tide_2020.csv", "図/写真.png"]);
    const shown = await json("item", "show", String(id));
    expect(shown.files.join("\n")).toContain("data/tide_2020.csv ");
    const erased = await ark("item", "erase", String(id), "--file", "data/tide_2020.csv", "--yes");
    expect(erased.out).toMatch(/^Erased in [1-9]\d* revisions? of item \d+\.\n$/);
    expect(await files()).not.toContain("data/tide_2020.csv");
    // Once more: it is in no revision, and the address it had is as good a name.
    const again = await ark("item", "erase", String(id), "--file", "%E5%9B%B3%2F%E5%86%99%E7%9C%9F.png", "--yes");
    expect(again.out).toMatch(/^Erased in [1-9]/);
    expect((await files()).sort()).toEqual(["100%25.txt", "a[U+202E]fdp.exe"]);
  });

  test("R5 items published while ARKs were off get theirs afterwards", async () => {
    const off = world.under({ SVC_MINT_ITEM_ARKS: "0" });
    const answer = await off.deposit("admin", cratePackage());
    const id = Number(String(answer.json["@id"]).split("/").at(-1));
    expect((await world.item(id)).ark).toBeNull();
    expect((await json("item", "list", "--without-ark")).map((row: { id: number }) => row.id)).toContain(id);
    expect((await ark("item", "mint-arks")).out).toMatch(/^Minted \d+ ARKs?\.\n$/);
    expect((await world.item(id)).ark).toMatch(/^99999\//);
    const switchedOff = await arkstone({ ...env(), SVC_MINT_ITEM_ARKS: "0" }, ["item", "mint-arks"]);
    expect([switchedOff.code, switchedOff.err]).toEqual([1, expect.stringContaining("SVC_MINT_ITEM_ARKS is off")]);
  });
});

test("R8a a worker runs the jobs of a repository that keeps none, until a signal ends it", async () => {
  // This repository answers without having been started, so nothing has marked its storage as its own (R7c).
  expect((await ark("storage", "adopt")).code).toBe(0);
  const [program, ...args] = selfCommand(["worker"]);
  const child = spawn(program, args, { env: { ...process.env, ...env() }, stdio: ["ignore", "ignore", "pipe"] });
  let log = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    log += text;
  });
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  try {
    const isDone = () => {
      if (child.exitCode !== null) throw new Error(`It ended: ${log}`);
      return log.includes("storage_swept");
    };
    await eventually("the job is done", isDone, { details: () => log });
  } finally {
    // By its id: `child.kill` of Deno reports an exit code that it made up.
    if (child.pid !== undefined) process.kill(child.pid, "SIGTERM");
  }
  expect([await ended, log]).toEqual([0, expect.stringContaining('"stopped"')]);
}, 60_000);
