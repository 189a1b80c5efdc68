// Forms of pages as somebody who is signed in sends them (R9, R32, R33): each is refused in every way that it describes,
// whether it is no form, too long or too slow, was not sent from its page, is about nothing, or has something wrong in it.
import { beforeAll, expect, test } from "bun:test";
import { draftMark } from "../../src/model/items/draft-history.ts";
import { sha256Hex } from "../../src/shared/hash/digests.ts";
import { most } from "../../src/shared/limits.ts";
import { type Ask, askAt, provoke, ROWS, type Row, takesForm, withOwn } from "../support/described-operations.ts";
import { RECORD } from "../support/record-calls.ts";
import { csrfIn } from "../support/world/pages.ts";
import { setUpWorld } from "../support/world.ts";

/** The secret of a link. */
const LINK = "A".repeat(43);

type Fields = Readonly<Record<string, string>>;

const REGISTRATION = {
  SVC_SMTP_URL: "smtp://127.0.0.1:1",
  SVC_MAIL_FROM: "repository@example.org",
  SVC_REGISTRATION: "univ.example",
};
const world = setUpWorld({ pages: { env: REGISTRATION }, consent: true });
/** What addresses name, and the session of an administrator with the token of its forms. */
const there = {
  waiting: "",
  request: "",
  /** Under review. */
  record: 0,
  draft: 0,
  /** A saved search of the administrator. */
  search: "",
  /** A file of the draft, whose name is in use again. */
  removal: "",
  deleted: 0,
  published: 0,
  transfer: "",
  /** Of the administrator, and offered to the owner. */
  offered: 0,
  person: 0,
  merged: 0,
  cookie: "",
  csrf: "",
  consent: "",
};

beforeAll(async () => {
  const { admin, asking, items, pending, publish, token, visitor } = world;
  there.waiting = (await pending({ indexes: [1] })).id;
  const browser = visitor();
  await browser.signIn(await token(admin));
  const authorization = `Bearer ${await token(admin)}`;
  const api = async (method: string, path: string, body: object) =>
    JSON.parse((await browser.send(`/api/${path}`, { ...sent(method, body), headers: { authorization } })).text);
  there.deleted = (await publish()).id;
  there.published = (await publish()).id;
  await items.remove(admin, there.deleted);
  const community = await api("POST", "communities", { slug: "reviewers", metadata: { title: "R" }, access: {} });
  await api("POST", "communities", { slug: "gone", metadata: { title: "G" }, access: {} });
  await browser.send("/api/communities/gone", { method: "DELETE", headers: { authorization } });
  const settings = { slug: "open", metadata: { title: "O" }, access: {} };
  const { id: open } = await api("POST", "communities", settings);
  await world.store.transact(async (tx) => {
    await tx.communities.setMember(open, world.owner.account?.id ?? 0, "owner");
    await tx.communities.setMember(open, admin.account?.id ?? 0, null);
  });
  there.offered = Number((await api("POST", "records", { ...RECORD, files: { enabled: false } })).id);
  await api("POST", `records/${there.offered}/draft/actions/publish`, {});
  const receiver = { user: String(world.owner.account?.id) };
  there.transfer = (await api("POST", `records/${there.offered}/access/transfers`, { receiver })).id;
  there.search = (await api("POST", "user/saved-searches", { name: "Rivers", query: "q=rivers" })).id;
  await api("PUT", "pages/about", { title: "About", content: "Us" });
  there.draft = Number((await api("POST", "records", {})).id);
  const file = `records/${there.draft}/draft/files`;
  for (const bytes of ["removed", "kept"]) {
    await api("POST", file, [{ key: "a.txt" }]);
    const content = { method: "PUT", body: bytes, headers: { authorization } };
    await browser.send(`/api/${file}/a.txt/content`, content);
    await api("POST", `${file}/a.txt/commit`, {});
    if (bytes === "removed") await browser.send(`/api/${file}/a.txt`, { method: "DELETE", headers: { authorization } });
  }
  const removals = await browser.send(`/api/${file}-removed`, { headers: { authorization } });
  there.removal = JSON.parse(removals.text).entries[0].id;
  there.record = Number((await api("POST", "records", RECORD)).id);
  const review = { type: "community-submission", receiver: { community: community.id } };
  await api("PUT", `records/${there.record}/draft/review`, review);
  const submission = { require_review: true };
  there.request = (await api("POST", `records/${there.record}/draft/actions/submit-review`, submission)).id;
  there.cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  there.csrf = csrfIn((await browser.get("/account/tokens")).text);
  there.consent = csrfIn((await browser.get(asking())).text);
  const person = async (): Promise<number> => {
    const { headers } = await browser.post("/authors/new/edit", { csrf: there.csrf, ...NAME });
    return Number(/\d+$/.exec(headers.get("location") ?? "")?.[0]);
  };
  const link = { kind: "registration", mail: "ada@univ.example", name: "Ada", language: null, roles: [] } as const;
  const times = { invitedBy: null, createdAt: world.time.now, expiresAt: "2099-01-01T00:00:00.000Z" };
  await world.store.transact(async (tx) => {
    const id = await tx.profiles.insertRegistration({ ...link, ...times });
    await tx.profiles.setRegistrationHash(id, sha256Hex(LINK), world.time.now);
    // Of a guest, declined: nothing can be done with it any more.
    const item = await tx.items.item(there.published);
    await tx.accessRequests.insertAccessRequest({
      ...{ id: there.request, type: "guest-access-request", status: "declined", parent: item?.parentId ?? 0 },
      ...{ item: there.published, title: "T", message: "M", answer: "", account: null, mail: "ada@univ.example" },
      ...{ name: "", language: "en", hasConsent: false, hash: sha256Hex(LINK), decidedBy: null, endsOn: null },
      ...{ revokedAt: null, endedBecause: "", createdAt: world.time.now, updatedAt: world.time.now },
    });
  });
  there.person = await person();
  there.merged = await person();
  await browser.post(`/authors/${there.merged}/merge`, { csrf: there.csrf, into: `${there.person}` });
});

const sent = (method: string, body: object) => ({ method, body: JSON.stringify(body) });
const FORMS = ROWS.filter((row) => takesForm(row) && !/^\/(?:oai|oauth\/(?:token|revoke))$/.test(row.path));
const FORM_TYPE = "application/x-www-form-urlencoded";
const NAME = { "n.0.language": "en", "n.0.familyName": "Doe", "n.0.show": "true" };
const MANY = "x".repeat(most("commentCharacters") + 1);
const UPLOAD = (csrf: string, content = "abc") => ({
  headers: { "content-type": "multipart/form-data; boundary=b" },
  body: [
    ...["--b", 'Content-Disposition: form-data; name="csrf"', "", csrf],
    ...["--b", 'Content-Disposition: form-data; name="file"; filename="b.txt"', "", content, "--b--", ""],
  ].join("\r\n"),
});
const UPLOADS = ["uploadByForm", "uploadLogoByForm", "readImportByForm", "replaceFileByForm"];
/** Something that is wrong in each form that is shown again. */
const WRONG: Readonly<Record<string, Fields>> = {
  confirmAccess: { do: "cancel" },
  manageAccessByForm: { do: "settings", days: "none" },
  approveByForm: { index: "none" },
  throwOutByForm: { comment: MANY },
  cancelByForm: { comment: MANY },
  depositByForm: { "nothing.0": "x" },
  takeImportByForm: { text: "none" },
  unpackFileByForm: { key: "a.txt" },
  describeFileByForm: { rule: "" },
  saveDraftByForm: { base: "1", "nothing.0": "x" },
  makeToken: { name: "" },
  saveStaticPageByForm: { title: "" },
  saveSearchByForm: { name: "" },
  changeSavedSearchByForm: { frequency: "none" },
  chooseNotices: { language: "none" },
  saveAccountByForm: { orcid: "none" },
  closeAccountByForm: { confirm: "none" },
  register: { mail: "none", name: "Ada" },
  confirmRegistration: { name: "" },
  decideAuthorization: { decision: "perhaps" },
  acceptRequestByForm: { comment: MANY },
  declineRequestByForm: { comment: MANY },
  cancelRequestByForm: { comment: MANY },
  commentOnRequestByForm: { comment: "" },
  joinByForm: { role: "none" },
  createCommunityByForm: { slug: "Not one" },
  saveCommunityByForm: { title: "" },
  renameCommunityByForm: { slug: "Not one" },
  deleteCommunityByForm: { confirm: "none" },
  changeMemberByForm: { do: "role", member: "none" },
  inviteByForm: { who: "none", role: "reader" },
  holdRequestByForm: { to: "none" },
  holdActivityByForm: { to: "none" },
  decideTasksByForm: { action: "none" },
  createPersonByForm: { "i.0.type": "ORCID", "i.0.value": "none" },
  savePersonByForm: { "i.0.type": "ORCID", "i.0.value": "none" },
  mergePersonByForm: { into: "none" },
  deletePersonByForm: { sure: "no" },
  withdrawByForm: { reason: "none" },
  shareByForm: { do: "none" },
  offerByForm: { who: "nobody" },
  decideTransferByForm: { do: "none" },
};

/** Asks as the administrator; `id`: of a person. */
function as(
  id: number | string,
  {
    activity = there.waiting,
    asked = there.request,
    draft = null as number | null,
    community = "open",
    published = null as number | null,
    link = LINK,
    handler = world.handler,
  } = {},
): Ask {
  const ask = askAt(handler, null, ({ path }) =>
    path === "/oauth/authorize"
      ? world.asking()
      : path
          .replace("{activity_id}", activity)
          .replace("{request_id}", asked)
          .replace("{token}", link)
          .replace("{community}", community)
          .replace("{search_id}", activity === "none" ? "none" : there.search)
          .replace("{transfer_id}", activity === "none" ? "none" : there.transfer)
          .replace("{revision}", "1")
          .replace("{slug}", activity === "none" ? "None" : "about")
          .replace(/\/files\/(edit|replace)$/, "/files/$1?key=a.txt")
          .replace("/deposit/{id}/discard", `/deposit/${draft ?? there.record}/discard`)
          .replace("/deposit/{id}", `/deposit/${draft ?? there.draft}`)
          .replace("/records/{id}/", `/records/${published ?? draft ?? there.published}/`)
          .replace("{id}", String(id)),
  );
  return (row, given) => ask(row, { ...given, headers: { cookie: there.cookie, ...given.headers } });
}
/** The fields of a form with the token of its page. */
function filled({ operationId }: Row, fields: Fields = {}) {
  if (UPLOADS.includes(operationId)) return UPLOAD(there.csrf);
  if (operationId === "takeImportByForm") return formOf({ text: "@book{x, title = {X}}", ...fields });
  return formOf(fields, operationId === "decideAuthorization" ? there.consent : there.csrf);
}
const formOf = (fields: Fields, csrf = there.csrf) => ({
  ...{ body: new URLSearchParams({ csrf, ...fields }).toString(), headers: { "content-type": FORM_TYPE } },
});
const NONE = { faults: [], unmet: [] };
const SENT = ROWS.filter((row) => FORMS.includes(row) || UPLOADS.includes(row.operationId));
const withStatus = (status: number): readonly Row[] => SENT.filter(({ statuses }) => statuses.includes(status));

test.each([
  ["is no form", 415, "csrf=", "text/plain"],
  ["is longer than bodies may be", 413, "x".repeat(1_025), FORM_TYPE],
  ["was not sent from its page", 403, "csrf=", FORM_TYPE],
])("R9a R33 a form that %s is refused", async (_what, status, body, type) => {
  const given = () => ({ body, headers: { "content-type": type } });
  const handler = world.under({ SVC_BODY_LIMIT: "1 KiB" });
  expect(await provoke(FORMS, as(there.person, { handler }), status, given)).toEqual(NONE);
});

test("R9a a form that comes too slowly is refused", async () => {
  const ask = as(there.person, { handler: world.under({ SVC_CLIENT_SECONDS: "1" }) });
  const sent = FORMS.map((row) => ask(row, { ...filled(row), body: new ReadableStream() }));
  const statuses = (await Promise.all(sent)).map(({ status }) => status);
  expect(statuses).toEqual(FORMS.map(() => 408));
});

test("R33 a form about nothing is 404, about what is gone 410, of an earlier state 412, with something wrong 400", async () => {
  const anything = { ...NAME, session: "none", token_id: "none", grant_id: "none", into: "1", sure: "yes" };
  const nothing = as(987_654, {
    activity: "none",
    asked: crypto.randomUUID(),
    draft: 987_654,
    link: "none",
    community: "none",
  });
  // Nobody registers where that is off.
  const isRegister = ({ operationId }: Row): boolean => operationId === "register";
  const others = withStatus(404).filter((row) => !isRegister(row));
  expect(await provoke(others, nothing, 404, (row) => filled(row, anything))).toEqual(NONE);
  const off = as(0, { handler: world.under({ SVC_REGISTRATION: "off" }) });
  expect(await provoke(withStatus(404).filter(isRegister), off, 404, filled)).toEqual(NONE);
  const changed = await provoke(withStatus(412), as(0), 412, (row) => filled(row, { base: "99" }));
  expect(changed).toEqual(NONE);
  const gone = as(there.merged, { draft: there.deleted, community: "gone" });
  expect(await provoke(withStatus(410), gone, 410, (row) => filled(row, WRONG[row.operationId]))).toEqual(NONE);
  const wrong = FORMS.filter(({ responses }) => "400" in responses);
  const removal = { removal: there.removal };
  const faulty = await provoke(wrong, as(there.person), 400, (row) =>
    filled(row, row.operationId === "putFileBackByForm" ? removal : WRONG[row.operationId]),
  );
  expect(faulty).toEqual(NONE);
});

test("R43 a file that was not sent from its page, is none, or is too large is refused", async () => {
  const uploads = ROWS.filter(({ operationId }) => UPLOADS.includes(operationId));
  const refused = async (status: number, given: () => object, rows = uploads, handler = world.handler) => {
    const some = rows.filter(({ statuses }) => statuses.includes(status));
    return [some.length > 1, await provoke(some, as(0, { handler }), status, given)];
  };
  expect(await refused(403, () => UPLOAD("none"))).toEqual([true, NONE]);
  // What is read at once has a limit of its text.
  const kept = uploads.filter(({ operationId }) => !/^(?:readImport|uploadLogo)ByForm$/.test(operationId));
  expect(await refused(400, () => ({ ...UPLOAD(there.csrf), body: "--b--" }), kept)).toEqual([true, NONE]);
  const small = world.under({ SVC_MAX_UPLOAD_BYTES: "1 KiB" });
  expect(await refused(413, () => UPLOAD(there.csrf, "x".repeat(1_025)), kept, small)).toEqual([true, NONE]);
});

/** Pages, and what is wrong with how they are asked for. */
const PAGES: Readonly<Record<string, { readonly query?: string; readonly headers?: Fields; readonly status: number }>> =
  {
    landingPage: { query: "?style=none", headers: { accept: "text/x-bibliography" }, status: 400 },
    personListPage: { query: `?name=${MANY}`, status: 400 },
    personFormPage: { status: 410 },
  };

test("R32 pages that are asked for wrongly are refused", async () => {
  const record = (await world.publish()).id;
  for (const [id, { status, ...given }] of Object.entries(PAGES)) {
    const rows = ROWS.filter(({ operationId }) => operationId === id);
    const ask = as(id === "landingPage" ? record : there.merged);
    expect([id, rows.length, await provoke(rows, ask, status, () => given)]).toEqual([id, 1, NONE]);
  }
});

test("R2f what waits about an item that is locked is decided by no form", async () => {
  const { id, itemId } = await world.pending({ indexes: [1], files: [await world.file("a.txt", "x")] });
  for (const each of [itemId, there.record]) await world.items.takeLock(each, "edit", 60_000);
  const draft = await world.store.items.draft(itemId);
  const base = draft === null ? "" : draftMark(draft);
  const rule = "open";
  const confirm = world.admin.account?.mail ?? "";
  const published = there.offered;
  await world.items.takeLock(published, "edit", 60_000);
  const locked = as(0, { activity: id, draft: itemId, published });
  expect(await provoke(withStatus(409), locked, 409, (row) => filled(row, { base, confirm, rule }))).toEqual(NONE);
  expect(withStatus(409).length).toBeGreaterThan(2);
});

test("R16 R42 activities and requests are ended by form; a button of a group shows its form again", async () => {
  const rows = FORMS.filter(({ operationId }) => /^(?:throwOut|cancel|cancelRequest)ByForm$/.test(operationId));
  expect([rows.length, await provoke(rows, as(0), 303, filled)]).toEqual([3, NONE]);
  const groups: Readonly<Record<string, string>> = { depositByForm: "title", savePersonByForm: "n" };
  const grouped = FORMS.filter(({ operationId }) => operationId in groups);
  const shown = await provoke(grouped, as(there.person), 200, (row) =>
    filled(row, { add: groups[row.operationId] ?? "" }),
  );
  expect([grouped.length, shown]).toEqual([2, NONE]);
});

test("R2c R42 pages of a draft whose record was deleted are 410", async () => {
  const rows = withOwn(410).filter(({ method, path }) => method === "GET" && path.startsWith("/deposit/"));
  expect([rows.length > 3, await provoke(rows, as(0, { draft: there.deleted }), 410)]).toEqual([true, NONE]);
});
