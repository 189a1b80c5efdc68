// The tools of vocabularies, and whoami (R30; specification 3, "Tool servers"; reference 1.2, 1.4).
import { describe, expect, test } from "bun:test";
import { type Account, REPOSITORY_OPERATOR } from "../../src/auth/account.ts";
import { anAccount } from "../support/accounts.ts";
import { cratePackage } from "../support/deposit-requests.ts";
import { eventually } from "../support/eventually.ts";
import { METADATA } from "../support/record-calls.ts";
import { NOW } from "../support/seed.ts";
import { authorizationOf, MCP } from "../support/world/authorization.ts";
import { BASE_URL, recidOf, type Who } from "../support/world/repository.ts";
import { setUpWorld } from "../support/world.ts";

/** As the reference lists them. */
const TYPES = `affiliations awards communitytypes contributorsroles creatorsroles datetypes descriptiontypes funders
  languages licenses names relationtypes removalreasons resourcetypes subjects titletypes`.split(/\s+/);
const REASONS = [
  ...["copyright", "disputed-authorship", "duplicate", "fraud", "misconduct", "out-of-scope", "personal-data"],
  ...["replaced", "retracted", "spam", "take-down-request", "test-record"],
];

describe("R30 the tools of vocabularies and whoami", () => {
  const world = setUpWorld({ repository: true, tools: true });

  const idsOf = ({ items }: { readonly items: readonly { readonly id: string }[] }) => items.map(({ id }) => id);

  test("T.list_vocabulary_types.1: guests get every type with its size, those that list_vocabulary opens", async () => {
    const { total, types } = await world.resultOf(null, "list_vocabulary_types");
    const ids = types.map((each: { id: string }) => each.id);
    expect([total, TYPES.filter((type) => !ids.includes(type))]).toEqual([types.length, []]);
    const sizes = new Map<string, number>(types.map((each: { id: string; count: number }) => [each.id, each.count]));
    expect([sizes.get("communitytypes"), sizes.get("removalreasons")]).toEqual([4, REASONS.length]);
    for (const id of ids) {
      const entries = await world.resultOf(null, "list_vocabulary", { vocab_type: id, size: 1 });
      expect([id, entries.total]).toEqual([id, sizes.get(id)]);
    }
  });

  test("T.list_vocabulary_types.2: it takes no arguments, as its schema states", async () => {
    const error = await world.refused(null, "list_vocabulary_types", { query: "l" });
    expect(error).toMatchObject({
      errors: [{ field: "query", messages: ["Unknown argument. There are none."] }],
      hint: "list_vocabulary_types takes no arguments",
    });
  });

  test("T.list_vocabulary.1: entries by the beginning of an id or of a title in any language, 20 a page by default", async () => {
    const byId = await world.resultOf(null, "list_vocabulary", {
      vocab_type: "resourcetypes",
      query: "publication-art",
    });
    expect(byId).toMatchObject({ type: "resourcetypes", total: 1, page: 1, size: 20 });
    expect(byId.items[0]).toMatchObject({ id: "publication-article", title: { en: "Journal article" } });
    const { title } = byId.items[0];
    for (const query of ["journal art", "JOURNAL ART", title.ja]) {
      const found = await world.resultOf(null, "list_vocabulary", { vocab_type: "resourcetypes", query });
      expect([query, idsOf(found).includes("publication-article")]).toEqual([query, true]);
    }
    expect(idsOf(await world.resultOf(null, "list_vocabulary", { vocab_type: "removalreasons" })).sort()).toEqual(
      REASONS,
    );
    const named = (type: string, id: string, en: string, props: Readonly<Record<string, string>>, ja = "") => ({
      type,
      id,
      title: { en, ja },
      props,
    });
    const entries = [
      named("affiliations", "04ksd4g47", "Tide institute", { scheme: "ROR" }, "潮汐研究所"),
      named("affiliations", "house", "Tide house", { url: "https://tide.example/" }),
      named("subjects", "tides-1", "Tide gauges", { scheme: "TIDES" }),
      named("licenses", "tide-1", "Tide licence", { url: "https://tide.example/l" }),
    ];
    await world.store.transact((tx) => tx.communities.saveVocabulary(entries, NOW));
    const found = async (vocab_type: string) =>
      (await world.resultOf(null, "list_vocabulary", { vocab_type, query: "tide" })).items;
    const url = { scheme: "url", identifier: "https://tide.example/" };
    const ror = { scheme: "ror", identifier: "04ksd4g47" };
    expect(await found("affiliations")).toEqual([
      { id: "house", title: { en: "Tide house" }, identifiers: [url] },
      { id: "04ksd4g47", title: { en: "Tide institute", ja: "潮汐研究所" }, identifiers: [ror] },
    ]);
    expect(await found("subjects")).toEqual([
      { id: "tides-1", title: { en: "Tide gauges" }, scheme: "TIDES", identifiers: [] },
    ]);
    expect(await found("licenses")).toEqual([
      { id: "tide-1", title: { en: "Tide licence" }, props: { url: "https://tide.example/l" } },
    ]);
  });

  test("T.list_vocabulary.2: an unknown type is refused with the types there are, and the one that was meant", async () => {
    const error = await world.refused(null, "list_vocabulary", { vocab_type: "licences" });
    expect(error).toMatchObject({ status: 404, code: "not_found", message: 'There is no vocabulary "licences".' });
    expect(error.errors[0].field).toBe("vocab_type");
    expect(error.errors[0].messages[0]).toEndWith("Did you mean licenses?");
    for (const type of TYPES) expect(error.hint).toContain(type);
    expect((await world.refused(null, "list_vocabulary", {})).errors).toEqual([
      { field: "vocab_type", messages: ["Missing data for required field."] },
    ]);
  });

  test("T.list_vocabulary.3: 1 to 100 a page, pages lead to the end, as far as 10,000", async () => {
    const walked: string[] = [];
    let total = 0;
    for (let page: number | undefined = 1; page !== undefined; ) {
      const found: { items: { id: string }[]; total: number; next_page?: number } = await world.resultOf(
        null,
        "list_vocabulary",
        { vocab_type: "contributorsroles", size: 5, page },
      );
      walked.push(...idsOf(found));
      [total, page] = [found.total, found.next_page];
    }
    expect([walked.length, new Set(walked).size]).toEqual([total, total]);
    const languages = { vocab_type: "languages" };
    expect(idsOf(await world.resultOf(null, "list_vocabulary", { ...languages, size: 100 }))).toHaveLength(100);
    for (const [size, message] of [
      [0, "0 is too small: at least 1."],
      [101, "101 is too large: at most 100."],
      ["20", '"20" is not of type integer.'],
    ]) {
      expect((await world.refused(null, "list_vocabulary", { ...languages, size })).errors).toEqual([
        { field: "size", messages: [message] },
      ]);
    }
    expect(await world.refused(null, "list_vocabulary", { ...languages, size: 100, page: 101 })).toMatchObject({
      message: "Invalid querystring parameters.",
    });
  });

  test("T.list_vocabulary.4 T.list_vocabulary_types.3: a token that is not valid is 401, never taken for nobody's", async () => {
    for (const name of ["list_vocabulary", "list_vocabulary_types"]) {
      expect((await world.challenged({ token: "none" }, name)).status).toBe(401);
    }
  });

  /** Somebody new, with a token. */
  async function person(
    name: string,
    mail: string | null,
    expiresAt: string | null = null,
    roles: Account["roles"] = [3],
  ): Promise<Who> {
    const account = anAccount({ mail, eppn: `${name}@idp`, name, roles });
    const accountId = await world.store.transact((tx) => tx.accounts.saveAccount(account));
    const tokenRequest = { accountId: accountId ?? 0, kind: "personal", name, scopes: ["mcp:read"] } as const;
    return { token: (await world.tokens.make(REPOSITORY_OPERATOR, { ...tokenRequest, expiresAt })).text };
  }

  test("T.whoami.1: the account, its roles and communities, client and scopes, what it has, and where it is seen to", async () => {
    const { account, clientId } = world.people.manager;
    await world.draft(undefined, "manager");
    await world.published("manager");
    const { untrusted: _, ...who } = await world.resultOf("manager", "whoami");
    const token = { subject: String(account.id), client_id: clientId, scopes: ["mcp:read", "mcp:write", "mcp:curate"] };
    const owned = [{ slug: "c1", role: "owner" }];
    const manager = { id: String(account.id), name: "manager", roles: ["community-administrator"], communities: owned };
    const mail = { email: "manager@example.org", email_pending_setup: false };
    expect({ ...who, scopes: who.scopes.filter((scope: string) => scope.startsWith("mcp:")) }).toEqual({
      ...token,
      token: {},
      user: manager,
      ...mail,
      profile_settings_url: `${BASE_URL}/account/tokens`,
      records: { published: 1, drafts: 1 },
    });
    await world.community("second");
    await world.draft(undefined, "manager");
    const communities = [
      { slug: "c1", role: "owner" },
      { slug: "second", role: "owner" },
    ];
    const expected = { user: { communities }, records: { published: 1, drafts: 2 } };
    expect(await world.resultOf("manager", "whoami")).toMatchObject(expected);
    expect((await world.resultOf("curator", "whoami")).user.communities).toEqual(
      communities.map(({ slug }) => ({ slug, role: "curator" })),
    );
    expect((await world.resultOf("stranger", "whoami")).user.communities).toEqual([]);
    const { user, scopes } = await world.resultOf(await person("both", "both@example.org", null, [2, 3]), "whoami");
    expect({ user, scopes }).toMatchObject({
      user: { name: "both", roles: ["repository-administrator", "registered"], communities: [] },
      scopes: ["mcp:read"],
    });
  });

  test("T.whoami.2: without an address, or with a placeholder, email_pending_setup is true", async () => {
    for (const [name, mail] of [
      ["nobody", null],
      ["placeholder", "placeholder@users.invalid"],
    ] as const) {
      expect(await world.resultOf(await person(name, mail), "whoami")).toMatchObject({
        email: mail,
        email_pending_setup: true,
        profile_settings_url: `${BASE_URL}/account/tokens`,
      });
    }
    const near = await world.resultOf(await person("near", "near@not-users.invalid"), "whoami");
    expect(near.email_pending_setup).toBe(false);
  });

  test("T.whoami.3: a token that ends shows when", async () => {
    const ends = "2999-01-01T00:00:00.000Z";
    expect((await world.resultOf(await person("ending", "ending@example.org", ends), "whoami")).token).toEqual({
      expires_at: ends,
    });
  });

  test("R6d R37 a token without a scope of the tools reads here what guests read: no restricted record, file or draft", async () => {
    const privately = { "svc:publishStatus": "private" };
    const own = recidOf(await world.deposit("registered", cratePackage({ name: "Hidden quartz", ...privately })));
    const open = recidOf(await world.deposit("registered", cratePackage({ name: "Open quartz" })));
    const draft = await world.draft({ ...METADATA, title: "Draft quartz" });
    const [file] = (await world.item(own)).content?.files ?? [];
    const found = async (who: Who) => {
      const { records } = await world.resultOf(who, "search_records", { query: "quartz" });
      return records.map(({ id }: { readonly id: string }) => Number(id)).sort();
    };
    const statusOf = async (who: Who, tool: string, args: object) => {
      const { isError, structuredContent } = await world.calls.call(who, tool, { ...args });
      return isError === true ? structuredContent.error.status : 200;
    };
    const readAt = async (who: Who, uri: string) => {
      const { message } = await world.calls.modern(who, "resources/read", { uri }, uri);
      return message.result === undefined ? Object(message.error).data.status : 200;
    };
    const read = async (who: Who) => [
      await statusOf(who, "get_record", { recid: `${own}` }),
      await statusOf(who, "list_files", { recid: `${own}` }),
      await statusOf(who, "download_file", { recid: `${own}`, filename: file?.name ?? "" }),
      await statusOf(who, "get_record", { recid: `${open}` }),
      await readAt(who, `record://${own}`),
      await readAt(who, `record://${open}`),
    ];
    const all = [own, open, Number(draft)].sort();
    await eventually("all are found", async () => (await found("registered")).length === all.length);
    const guest = await read(null);
    expect(guest.map((status) => status === 200)).toEqual([false, false, false, true, false, true]);
    for (const account of ["registered", "admin"] as const) {
      for (const scope of ["index:read", "item:read", "file:read", "item:delete"] as const) {
        const narrow = await world.token(account, [scope], null);
        expect([scope, await found(narrow)]).toEqual([scope, [open]]);
        expect([scope, await read(narrow)]).toEqual([scope, guest]);
        expect((await world.challenged(narrow, "get_record", { recid: draft, draft: true })).status).toBe(403);
      }
      const reading = await world.token(account, ["mcp:read"], null);
      expect([account, await found(reading)]).toEqual([account, all]);
      expect([account, await read(reading)]).toEqual([account, [200, 200, 200, 200, 200, 200]]);
      expect(await statusOf(reading, "get_record", { recid: draft, draft: true })).toBe(200);
    }
  });

  test("T.whoami.5: a token that a person gave a program shows whose it is, when it ends and what it is for alone", async () => {
    const { clientId, access } = await authorizationOf(world).tokens("registered", { scope: "mcp:read" });
    const who = await world.resultOf({ token: access }, "whoami");
    expect(who).toMatchObject({ client_id: clientId, email: "registered@example.org", token: { audience: MCP } });
    expect([who.scopes.includes("mcp:read"), who.scopes.includes("item:create")]).toEqual([true, false]);
    expect(Date.parse(who.token.expires_at) - Date.parse(world.clock.now())).toBe(3_600_000);
  });

  test("T.whoami.4: without a token 401, without mcp:read 403, and it takes no arguments", async () => {
    await world.gated("whoami", "mcp:read");
    expect((await world.refused("general", "whoami", { id: 1 })).errors).toEqual([
      { field: "id", messages: ["Unknown argument. There are none."] },
    ]);
  });
});
