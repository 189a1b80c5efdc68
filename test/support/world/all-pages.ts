// A world in which there is every page of the repository, with much and with little on it, and where each page is: for
// tests that visit them all, and for screenshots.
import type { Viewer } from "../../../src/auth/account.ts";
import type { ItemFile } from "../../../src/model/items/item.ts";
import type { Metadata } from "../../../src/model/metadata/metadata.ts";
import { flattenName } from "../../../src/repository/items/content.ts";
import { sha256Hex } from "../../../src/shared/hash/digests.ts";
import { png, wav } from "../pictures.ts";
import { latinPdf } from "../text-files.ts";
import { zip } from "../zip-writer.ts";
import { anAgent } from "./authors.ts";
import { TODAY, titled } from "./items.ts";
import { BASE, type PagesWorld } from "./pages.ts";

const TITLE =
  "Persistent names for things that change: a study of identifiers in research repositories over twenty years";
const ABSTRACT =
  "We followed two thousand names through migrations, mergers and renamings. Most of what broke was not technical.\n\nThe second part gives advice.";
const en = (value: string) => ({ value, lang: "en" });
const ja = (value: string) => ({ value, lang: "ja" });
const abstract = { kind: "Abstract", html: false } as const;
const RICH: Partial<Metadata> = {
  titles: [
    { ...en(TITLE), kind: "main" },
    { ...ja("変わりゆくものの永続的な名前：研究リポジトリにおける識別子の二十年"), kind: "main" },
    { ...en("What stays when everything moves"), kind: "subtitle" },
  ],
  creators: [
    anAgent({
      kind: "personal",
      names: [
        { family: "Lovelace", given: "Ada", lang: "en" },
        { full: "ラブレス, エイダ", lang: "ja" },
      ],
      ids: [{ scheme: "ORCID", value: "0000-0002-1825-0097" }],
      affiliations: [
        { names: [en("Institute for Long Things")], ids: [{ scheme: "ROR", value: "https://ror.org/04tqzzr44" }] },
      ],
    }),
    anAgent({ kind: "organizational", names: [{ full: "国立情報学研究所", lang: "ja" }] }),
  ],
  contributors: [{ ...anAgent({ kind: "personal", names: [{ full: "Hopper, Grace" }] }), role: "DataManager" }],
  descriptions: [
    { ...en(ABSTRACT), ...abstract },
    {
      ...ja("二千の名前を、移行や統合、改称を通じて追跡した。失われた名前の多くは、技術が原因ではなかった。"),
      ...abstract,
    },
  ],
  subjects: [{ text: en("identifiers"), scheme: "LCSH" }, { text: ja("永続性") }],
  rights: [
    {
      id: "cc-by-4.0",
      text: [en("Creative Commons Attribution 4.0")],
      uri: "https://creativecommons.org/licenses/by/4.0/",
    },
  ],
  publishers: [{ names: [en("Journal of Slow Studies Press")] }],
  containers: [
    {
      titles: [en("Journal of Slow Studies")],
      ids: [{ scheme: "ISSN", value: "1234-5679" }],
      volume: "12",
      issue: "3",
      pageStart: "1",
      pageEnd: "25",
      place: "flat",
    },
  ],
  dates: [
    { date: "2024-02-01", type: "Accepted" },
    { date: "2023", type: "Created" },
  ],
  languages: ["eng", "jpn"],
  identifiers: [{ scheme: "DOI", value: `10.5555/a-very-long-identifier-${"without-any-space-".repeat(4)}at-all` }],
  relations: [
    {
      type: "isSupplementedBy",
      ident: { scheme: "DOI", value: "https://doi.org/10.5555/12345678" },
      titles: [en("The data behind the study")],
    },
  ],
  funding: [
    {
      funder: { names: [en("Japan Society for the Promotion of Science")], ids: [] },
      award: { number: "JP20K00001", titles: [] },
    },
  ],
  conferences: [
    {
      names: [en("Names 2024")],
      sequence: "7",
      sponsors: [],
      venues: [{ value: "Hall B" }],
      places: [{ value: "Kyoto" }],
      country: "JPN",
    },
  ],
  publicationDate: "2024-05-06",
};

const OFFER = "00000000-0000-4000-8000-000000000002";

function never(): never {
  throw new Error("This cannot be");
}

const OPEN = { record: "public", openDate: TODAY, files: "public", embargoUntil: null, embargoReason: "" } as const;

export const GUEST_PAGES =
  `front record embargoed restricted gone long huge files folder values missing indexes index search
    versions comparison
    viewText viewPdf viewZip viewCrate viewDocument viewTable viewData viewNotebook viewNothing
    viewPicture viewSound viewMap
    searched unfound login link components communities community
    about pages people subjects subject funders licences figures recordFigures
    closedFiles askAccess askedAccess confirmAccess`.split(/\s+/);
export const OWN_PAGES =
  `front record draft restricted filling activities activity second account closing tokens consent grants persons
    personForm share withdraw handOver offer work depositType deposit preview draftFiles draftFile
    accessRequest accessDecided nothingToAsk shareClosed
    pages pageForm pageRevisions
    tasks request join newCommunity community-members community-invitations community-requests
    community-settings community-delete`.split(/\s+/);

/** The world must show the page of components too, and guests must be able to ask for closed files, which needs mail. */
export const EVERY_PAGE = {
  env: { SVC_COMPONENT_PAGE: "1", SVC_SMTP_URL: "smtp://127.0.0.1:1", SVC_MAIL_FROM: "pages@library.example.org" },
};

/** Fills a world and returns the address of every page by its name. */
export async function everyPage(world: PagesWorld): Promise<Readonly<Record<string, string>>> {
  const bulletins = { indexName: "紀要", indexNameEnglish: "Bulletins", comment: "Everything we print ourselves." };
  await world.index({ id: 20, ...bulletins, displayFormat: "2", rssStatus: true });
  for (let id = 21; id <= 24; id += 1)
    await world.index({ id, parent: 20, indexName: `第${id}巻`, indexNameEnglish: `Volume ${id}` });
  await world.index({ id: 30, parent: 21, indexNameEnglish: "Special issue", indexName: "特集号" });
  const files = [
    await world.file("lovelace-2024-persistent-names-for-things-that-change-final-version-2.pdf", "%PDF-1.4", {
      mediaType: "application/pdf",
      license: "cc-by-4.0",
      label: "Full text",
    }),
    await world.file("interviews.zip", "PK".repeat(900_000), { mediaType: "application/zip", access: "login" }),
    await world.file("later.csv", "a,b", { mediaType: "text/csv", access: "date", accessDate: "2099-04-01" }),
    await world.file("names.txt", "closed", { access: "closed" }),
  ];
  const item = await world.publish({ metadata: titled("", RICH), files, indexes: [20, 30] });
  if (item.content === null) throw new Error("It has content");
  const second = await world.items.newVersion(world.owner, item.id, {
    content: { ...item.content, metadata: { ...item.content.metadata, versionLabel: "2" } },
  });
  const kept = await world.publish({ access: { ...OPEN, record: "restricted" } });
  await world.store.transact(async (tx) => {
    const maker = world.owner.account?.id ?? 0;
    const id = world.admin.account?.id ?? 0;
    await tx.items.setGrants(kept.parentId, [{ subject: "user", id, permission: "preview" }]);
    const offer = { id: OFFER, parent: item.parentId, item: item.id, status: "submitted", giver: maker } as const;
    const at = { createdAt: world.time.now, updatedAt: world.time.now };
    await tx.transfers.insertTransfer({ ...offer, title: TITLE, message: "Please take it", receiver: id, ...at });
    const ends = {
      createdAt: world.time.now,
      expiresAt: "2099-04-01T23:59:59.000Z",
      request: null,
      uses: 0,
      lastUsed: null,
    };
    const link = { id: "00000000-0000-4000-8000-000000000001", parent: kept.parentId, permission: "view" } as const;
    await tx.accessLinks.insertLink({ ...link, hash: "0".repeat(64), description: "For the referees", maker, ...ends });
  });
  const gone = await world.publish({ metadata: titled("Thing that went") });
  await world.items.remove(world.admin, gone.id, { reason: "duplicate", note: "See the other one" });
  const embargoed = await world.publish({
    metadata: titled("Later", { accessRights: { label: "open access" } }),
    access: { ...OPEN, embargoUntil: "2099-01-01" },
    files,
  });
  const one = await world.file("one", "x");
  const named = (name: string) => ({ ...one, name: flattenName(name) });
  const hostile = ["a\u202Efdp.exe", `${"長い名前".repeat(60)}.txt`, "<b>bold</b>.txt", "a  b   c.txt"];
  const deep = Array.from({ length: 196 }, (_, at) => named(`data/year ${2000 + (at % 5)}/潮位_${at}.csv`));
  const creators = Array.from({ length: 30 }, (_, at) => ({
    ...(RICH.creators?.[at % 2] ?? never()),
    names: [
      { family: "山田", given: `花子${at}`, lang: "ja" },
      { family: "Yamada", given: `Hanako ${at}`, lang: "en" },
    ],
  }));
  const long = await world.publish({
    metadata: titled("", { ...RICH, creators }),
    files: [...hostile.map(named), ...deep],
  });
  const huge = await world.publish({
    metadata: titled("", { ...RICH, creators: Array.from({ length: 8 }, () => creators).flat() }),
    files: Array.from({ length: 450 }, (_, at) => named(`run ${at % 2}/a/${at}.csv`)),
  });
  const viewed = await world.publish({ files: await viewedFiles(world), indexes: [20] });
  const views = `/records/${viewed.id}/view`;
  for (let i = 0; i < 22; i += 1) await world.publish({ indexes: [20] });
  const waiting = await world.pending({ indexes: [], metadata: titled("Waiting for somebody") });
  const other = await world.pending({ indexes: [1] });
  const asked = await joiningRequest(world);
  const drafted = await draftWithFiles(world, [...files, ...hostile.map(named)]);
  return {
    front: "/",
    record: `/records/${item.id}`,
    embargoed: `/records/${embargoed.id}`,
    restricted: `/records/${kept.id}`,
    gone: `/records/${gone.id}`,
    long: `/records/${long.id}`,
    huge: `/records/${huge.id}`,
    viewText: `${views}/names.py?page=2`,
    viewDocument: `${views}/README.md`,
    viewTable: `${views}/levels.csv`,
    viewData: `${views}/names.json`,
    viewNotebook: `${views}/names.ipynb`,
    viewPdf: `${views}/paper.pdf`,
    viewZip: `${views}/all.zip`,
    viewCrate: `${views}/all.zip?as=zip&part=ro-crate%3A`,
    viewNothing: `${views}/data.bin`,
    viewPicture: `${views}/river.png`,
    viewSound: `${views}/talk.wav`,
    viewMap: `${views}/route.geojson`,
    files: `/records/${huge.id}/files`,
    folder: `/records/${huge.id}/files?folder=run%201%2Fa&page=2`,
    values: `/records/${huge.id}/values/creators?page=2`,
    versions: `/records/${item.id}/versions`,
    comparison: `/records/${item.id}/compare/${second.item.id}`,
    missing: "/records/999999",
    indexes: "/index",
    index: "/index/20",
    search: "/search",
    persons: "/authors",
    people: "/persons",
    subjects: "/subjects",
    subject: "/subjects?is=identifiers",
    funders: "/funders",
    licences: "/licences",
    personForm: "/authors/new",
    searched: "/search?q=a+OR+の+OR+record&Language=jpn&Subject=x&title=",
    unfound: "/search?q=nonesuch",
    login: "/account/login",
    link: `/account/login/${"A".repeat(43)}`,
    activities: "/workflow/activities?status=all",
    activity: `/workflow/activity/detail/${waiting.id}`,
    second: `/workflow/activity/detail/${other.id}`,
    draft: `/records/${waiting.itemId}`,
    depositType: "/deposit",
    deposit: "/deposit?type=2&index=20",
    preview: `/deposit/${waiting.itemId}/preview?as=owner`,
    draftFiles: `/deposit/${drafted}/files`,
    draftFile: `/deposit/${drafted}/files/edit?key=interviews.zip`,
    share: `/records/${kept.id}/share`,
    withdraw: `/records/${item.id}/withdraw`,
    handOver: `/records/${kept.id}/transfer`,
    offer: `/transfers/${OFFER}`,
    work: "/me?tab=tasks",
    account: "/account",
    closing: "/account/close",
    filling: `/deposit/${waiting.itemId}/import`,
    tokens: "/account/tokens",
    savedSearches: await savedSearchesPath(world),
    consent: await consentPath(world),
    grants: "/account/grants",
    components: "/docs/pages",
    tasks: "/me?tab=tasks&all=yes",
    request: `/requests/${asked.request}?quote=${asked.comment}`,
    join: `/communities/${asked.slug}/join`,
    ...(await closedFilePages(world)),
    figures: "/statistics",
    ...(await staticPagePaths(world)),
    recordFigures: `/records/${item.id}/statistics`,
    communities: "/communities",
    community: `/communities/${asked.slug}`,
    newCommunity: "/community/new",
    ...Object.fromEntries(
      ["members", "invitations", "requests", "settings", "delete"].map((page) => [
        `community-${page}`,
        `/communities/${asked.slug}/${page}`,
      ]),
    ),
  };
}

/** Closed files with conditions, and requests for them: one to confirm, one to decide, one that was accepted. */
async function closedFilePages(world: PagesWorld): Promise<Readonly<Record<string, string>>> {
  const closed = await world.publish({
    metadata: titled("Interviews that were promised to nobody else"),
    files: [
      await world.file("open notes.txt", "x"),
      await world.file(`${"a long name of a recording ".repeat(6)}.txt`, "y", { access: "closed" }),
      await world.file("談話の記録.txt", "z", { access: "closed" }),
    ],
  });
  const token = "C".repeat(43);
  const { now } = world.time;
  const request = {
    ...{ parent: closed.parentId, item: closed.id, title: "Interviews that were promised to nobody else" },
    ...{ message: `To compare them.\n${"A long purpose. ".repeat(30)}`, answer: "", language: "ja", hasConsent: true },
    ...{
      type: "guest-access-request" as const,
      endedBecause: "" as const,
      account: null,
      mail: "ada@example.org",
      name: "Ada 山田",
      hash: null,
    },
    ...{ decidedBy: null, endsOn: null, revokedAt: null, createdAt: now, updatedAt: now },
  } as const;
  const id = (last: number): string => `00000000-0000-4000-8000-00000000000${last}`;
  await world.store.transact(async (tx) => {
    const settings = { users: true, guests: true, conditions: "Cite the interviews.\n引用すること。", days: 14 };
    await tx.accessRequests.saveAccessSettings(closed.parentId, JSON.stringify(settings));
    const admin = world.admin.account?.id ?? 0;
    await tx.items.setGrants(closed.parentId, [{ subject: "user", id: admin, permission: "manage" }]);
    const hash = sha256Hex(token);
    await tx.accessRequests.insertAccessRequest({ ...request, id: id(1), status: "created", hash });
    await tx.accessRequests.insertAccessRequest({ ...request, id: id(2), status: "submitted" });
    const given = { answer: "どうぞ", decidedBy: admin, endsOn: "2099-01-01" };
    await tx.accessRequests.insertAccessRequest({ ...request, ...given, id: id(3), status: "accepted" });
    const ends = { createdAt: now, expiresAt: "2099-01-02T00:00:00.000Z", uses: 2, lastUsed: TODAY };
    const link = { parent: closed.parentId, permission: "view", maker: admin, description: "Ada 山田" } as const;
    await tx.accessLinks.insertLink({ ...link, ...ends, id: id(4), hash: "1".repeat(64), request: id(3) });
  });
  const record = `/records/${closed.id}`;
  return {
    closedFiles: record,
    askAccess: `${record}/request-access`,
    nothingToAsk: `${record}/request-access`,
    askedAccess: `${record}/request-access/sent`,
    confirmAccess: `/access-requests/confirm/${token}`,
    accessRequest: `/access-requests/${id(2)}`,
    accessDecided: `/access-requests/${id(3)}`,
    shareClosed: `${record}/share`,
  };
}

/** A page in one language alone, at the foot of all pages, of which two revisions are compared. */
async function staticPagePaths({ store, admin, time: { now } }: PagesWorld) {
  const words = { titleEn: "About the repository and its names", titleJa: "", contentJa: "", isDeleted: false };
  const content = `# Aims\n\n${"Names that stay. ".repeat(40)}\n\n- [Search](/search)\n- <b>HTML</b>\n\n| Year | Names |\n|-|-:|\n| 2024 | 1,203 |`;
  const page = { ...words, slug: "about", footer: 1, at: now };
  const accountId = admin.account?.id ?? 0;
  await store.transact(async (tx) => {
    await tx.staticPages.insertPage({ ...page, contentEn: content, revision: 1, accountId, message: "はじめ" });
    const second = `${content}\n\n${"x".repeat(200)}`;
    await tx.staticPages.insertPage({ ...page, contentEn: second, revision: 2, accountId: null, message: "" });
  });
  const pageRevisions = "/pages/about/revisions?from=1&to=2";
  return { about: "/about", pages: "/pages", pageForm: "/pages/about/edit", pageRevisions };
}

/** Two saved searches of the owner, one with a feed and an alert. */
async function savedSearchesPath({ store, owner, time: { now } }: PagesWorld): Promise<string> {
  const accountId = owner.account?.id ?? 0;
  const times = { since: now, nextRunAt: null, createdAt: now, updatedAt: now };
  await store.transact(async (tx) => {
    const search = { accountId, ...times, query: `q=${encodeURIComponent("潮位 tides")}&Language=jpn` };
    const first = { id: "first", position: 1, name: "潮位の記録 ".repeat(12).trim(), frequency: "never" } as const;
    await tx.savedSearches.insertSavedSearch({ ...search, ...first, feedHash: null });
    const second = { id: "second", position: 2, name: "Rivers", frequency: "weekly", feedHash: "hash" } as const;
    await tx.savedSearches.insertSavedSearch({ ...search, ...second });
  });
  return "/account/searches";
}

/** A file for each viewer. */
export async function viewedFiles(world: Pick<PagesWorld, "file">): Promise<readonly ItemFile[]> {
  const code = Array.from(
    { length: 700 },
    (_, at) => `names[${at}] = "名前" * ${at}  # ${"a long comment ".repeat(at % 20)}`,
  );
  const outputs = [
    { output_type: "stream", text: ["one\n", "x".repeat(200)] },
    { output_type: "error", traceback: ["KeyError: '名前'"] },
    { output_type: "display_data", data: { "text/html": "<b>" } },
  ];
  const cells = [
    { cell_type: "markdown", source: "# Counting\n\nNames *by year*" },
    {
      cell_type: "code",
      execution_count: 2,
      source: ["import names\n", `names.count(${"'a', ".repeat(60)})`],
      outputs,
    },
  ];
  const notebook = { nbformat: 4, metadata: { kernelspec: { display_name: "Python 3" } }, cells };
  const readme = `# About the names\n\nOf *all* [interviews](names.py), **two thousand** \`names\`:\n\n- [x] 集めた\n- [ ] moved\n
| Year | Names |\n|-|-:|\n${"| 2024 | 1,203 |\n".repeat(3)}\n> ${"Quoted words. ".repeat(30)}\n\n\`\`\`sh\n${"x".repeat(200)}\n\`\`\``;
  return [
    ...(await mediaFiles(world)),
    await world.file("README.md", readme, { mediaType: "text/markdown" }),
    await world.file(
      "levels.csv",
      `日付,Level,${"Note,".repeat(12)}\n${`2024-01-02,1.5,${"a long note,".repeat(12)}\n`.repeat(150)}`,
      {
        mediaType: "text/csv",
      },
    ),
    await world.file(
      "names.json",
      JSON.stringify({ 名前: ["a", { b: [1, null, true, "x".repeat(300)] }], empty: {} }),
      {
        mediaType: "application/json",
      },
    ),
    await world.file("names.ipynb", JSON.stringify(notebook), { mediaType: "application/x-ipynb+json" }),
    await world.file("names.py", code.join("\n"), { mediaType: "text/x-python" }),
    await world.file("all.zip", archive(), { mediaType: "application/zip" }),
    await world.file("paper.pdf", latinPdf(["Names that last"], ["Names that do not"]), {
      mediaType: "application/pdf",
    }),
    await world.file("data.bin", "\u0001\u0002\0\0".repeat(9), { mediaType: "application/octet-stream" }),
  ];
}

/** A picture, a sound with captions, and a map. */
async function mediaFiles(world: Pick<PagesWorld, "file">): Promise<readonly ItemFile[]> {
  const square = [139, 35, 140, 36].map((degree) => [degree, (degree * 7) % 5]);
  const feature = (geometry: object, properties: object) => ({ type: "Feature", geometry, properties });
  const map = {
    type: "FeatureCollection",
    features: [
      feature({ type: "Point", coordinates: [139.7, 35.6] }, { name: "東京", note: "A long note ".repeat(12) }),
      feature({ type: "Polygon", coordinates: [square] }, { name: "Area" }),
    ],
  };
  return [
    await world.file("river.png", png(900, 300), { mediaType: "image/png" }),
    await world.file("talk.wav", wav(), { mediaType: "audio/wav" }),
    await world.file("talk.en.vtt", "WEBVTT\n\n00:01.000 --> 00:02.000\n<v Ada>Good morning", {
      mediaType: "text/vtt",
    }),
    await world.file("route.geojson", JSON.stringify(map), { mediaType: "application/geo+json" }),
  ];
}

/** An RO-Crate with a folder, a file that cannot be read, and long names. */
const archive = (): Uint8Array =>
  zip([
    {
      name: "ro-crate-metadata.json",
      bytes: JSON.stringify({
        "@graph": [
          { "@id": "ro-crate-metadata.json", about: { "@id": "./" } },
          { "@id": "./", "@type": "Dataset", name: TITLE, description: ABSTRACT, hasPart: { "@id": "data/名前.csv" } },
          { "@id": "data/名前.csv", "@type": "File", author: { "@id": "#ada" }, url: "https://example.org/" },
          { "@id": "#ada", "@type": "Person", name: "Ada Lovelace" },
        ],
      }),
    },
    { name: "data/名前.csv", bytes: "a,b" },
    { name: `${"a long name ".repeat(12)}.txt`, bytes: "a", both: { flags: 1 } },
  ]);

/** A draft with these files, one that was removed, and an upload that was interrupted. */
async function draftWithFiles(world: PagesWorld, files: readonly ItemFile[]): Promise<number> {
  const { content } = await world.publish();
  if (content === null) throw new Error("It has content");
  const { item } = await world.items.createDraft(world.owner, {
    content: { ...content, files, defaultPreview: files[1]?.name ?? "" },
  });
  const { now } = world.time;
  const gone = await world.file("removed by mistake.txt", "x");
  const stopped = { id: "stopped", itemId: item.id, key: "half.bin", metadata: null, sizeBytes: 20_000_000 };
  const transfer = { type: "M", parts: 4, partBytes: 5_242_880, uploadId: "none" } as const;
  await world.store.transact(async (tx) => {
    await tx.draftFiles.insertRemovedFiles([{ id: "removal", itemId: item.id, file: gone, removedAt: now }]);
    const rest = {
      error: null,
      received: null,
      accountId: world.owner.account?.id ?? 0,
      createdAt: now,
      updatedAt: now,
    };
    await tx.draftFiles.insertDraftFiles([{ ...stopped, transfer, ...rest }]);
    await tx.accounts.insertGroup("Hydrology", now);
  });
  return item.id;
}

/** A person asks to join a community, with a comment that is quoted; another community may be asked. */
async function joiningRequest(world: PagesWorld) {
  const browser = world.visitor();
  const send = async (who: Viewer, method: string, path: string, body: object) => {
    const authorization = `Bearer ${await world.token(who)}`;
    const answer = await browser.send(`/api/${path}`, {
      method,
      headers: { authorization },
      body: JSON.stringify(body),
    });
    return answer.text === "" ? {} : JSON.parse(answer.text);
  };
  const metadata = {
    ...{
      title: "Rivers and lakes",
      title_ja: "川と湖",
      description: "People who measure water",
      type: { id: "topic" },
    },
    ...{ website: "https://rivers.example", organizations: [{ name: "Kyoto University", id: "02kpeqv85" }] },
    ...{
      page: "<p>We measure.</p><ul><li>Levels</li></ul>",
      curation_policy: "<p>Send us <a href='https://rivers.example'>data</a>.</p>",
    },
  };
  const body = { slug: "rivers", metadata, access: {} };
  const { id } = await send(world.owner, "POST", "communities", body);
  const person = await world.person("joining", [3]);
  const invited = await world.person("invited", [3]);
  const members = [{ type: "user", id: String(invited.account?.id) }];
  await send(world.owner, "POST", `communities/${id}/invitations`, { members, role: "reader" });
  const self = [{ type: "user", id: String(world.owner.account?.id) }];
  await send(world.owner, "PUT", `communities/${id}/members`, { members: self, visible: true });
  const path = `communities/${id}/membership-requests`;
  const { id: request } = await send(person, "POST", path, { message: "I measure rivers", role: "curator" });
  await send(world.admin, "PUT", `requests/${request}/holder`, { user: String(world.owner.account?.id) });
  const payload = { content: "<blockquote>I measure rivers</blockquote>Which?", field: "title" };
  const { id: comment } = await send(world.owner, "POST", `requests/${request}/comments`, { payload });
  return { slug: "rivers", request, comment };
}

/** A program that asks the administrator for everything, and another one that they allowed something. */
async function consentPath(world: PagesWorld): Promise<string> {
  const kept = { uri: null, kind: "registered", redirectUris: ["http://127.0.0.1/cb"], usedAt: null } as const;
  const resource = `${BASE}/mcp`;
  await world.store.transact(async (tx) => {
    const name = "A helper with a name as long as names of helpers are made by those who like to be exact";
    await tx.grants.saveOauthClient({ ...kept, id: "asking", name, createdAt: world.time.now });
    const { now } = world.time;
    const client = { clientId: "https://helper.example/oauth/client.json", clientName: "図書館の助手" };
    const times = { createdAt: now, lastUsedAt: now, endedAt: null };
    const rights = { resource, scopes: ["mcp:read", "mcp:write"], madeWith: null };
    await tx.grants.insertGrant({
      id: "granted",
      accountId: world.admin.account?.id ?? 0,
      ...client,
      ...rights,
      ...times,
    });
  });
  const query = {
    ...{ response_type: "code", client_id: "asking", redirect_uri: "http://127.0.0.1:6274/cb", resource },
    ...{ code_challenge: "c".repeat(43), code_challenge_method: "S256", scope: "mcp:curate", state: "s".repeat(200) },
  };
  return `/oauth/authorize?${new URLSearchParams(query)}`;
}
