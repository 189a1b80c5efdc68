// What is under way in the demonstration: drafts, submissions and requests to communities, requests for closed files,
// deposits that wait in a workflow, saved searches, and two items that were withdrawn.
import { Buffer } from "node:buffer";
import { type Chance, chanceFrom } from "./chance.ts";
import { zipOf } from "./files.ts";
import type { Ask, Json, People, Published } from "./types.ts";
import { FIELDS, PLACES, type Words } from "./words.ts";

type PendingNeeds = {
  readonly ask: Ask;
  readonly people: People;
  readonly published: readonly Published[];
  /** Goes on by an hour. */
  readonly later: () => void;
};

/** Who reviews everything that comes. */
const REVIEWED = "coast";

export async function makePending(needs: PendingNeeds): Promise<void> {
  const { ask, people, published, later } = needs;
  const chance = chanceFrom(99);
  await makeDrafts(needs, chance);
  await submitDrafts(needs, chance);
  later();
  await ask(people.tokens.depositor, "POST", "/api/communities/night-sky/membership-requests", {
    message: "<p>I count meteors with pupils and would like to look after their logbooks here.</p>",
    role: "curator",
  });
  const invited = people.accounts.find(({ role }) => role === "depositor")?.id ?? 0;
  const members = [{ type: "user", id: String(invited) }];
  const message = "<p>Your plant lists fit here. Will you help us?</p>";
  await ask(people.tokens.owner, "POST", "/api/communities/plants/invitations", { members, role: "reader", message });
  later();
  await depositPackages(needs, chance);
  later();
  await askForFiles(needs);
  const searches = [
    { name: "Data about rivers and lakes", query: "q=levels", frequency: "weekly" },
    { name: "潮汐の新着", query: `q=${encodeURIComponent("潮汐")}&Language=jpn`, frequency: "never" },
  ];
  for (const search of searches) await ask(people.tokens.depositor, "POST", "/api/user/saved-searches", search);
  const [first, second] = published
    .filter(({ work }) => work.versions === 0 && work.access === "open" && !work.isInCommunity)
    .slice(3, 5);
  for (const [record, reason] of [
    [first, "retracted"],
    [second, "duplicate"],
  ] as const) {
    if (record === undefined) continue;
    await ask(people.admin, "DELETE", `/api/records/${record.id}/delete`, {
      removal_reason: { id: reason },
      note: "An example of a withdrawn item.",
    });
  }
}

function draftOf(title: Words, chance: Chance): Json {
  return {
    metadata: {
      resource_type: { id: chance.pick(["dataset", "publication-article", "image-photo"]) },
      title: title.en,
      additional_titles: [{ title: title.ja, type: { id: "translated-title" }, lang: { id: "jpn" } }],
      publication_date: "2026",
      creators: [{ person_or_org: { type: "personal", family_name: "Kazanagi", given_name: "Haruka" } }],
      description: `First notes on ${title.en}.`,
      languages: [{ id: "eng" }],
      rights: [{ id: "cc-by-4.0" }],
    },
    access: { record: "public", files: "public" },
    files: { enabled: false },
  };
}

function titleOf(chance: Chance): Words {
  const { things } = chance.pick(FIELDS);
  const [thing, place] = [chance.pick(things), chance.pick(PLACES)];
  return { en: `A year of ${thing.en} in ${place.en}`, ja: `${place.ja}の${thing.ja}の一年` };
}

/** Three that could be published, and one that lacks nearly all. */
async function makeDrafts({ ask, people, later }: PendingNeeds, chance: Chance): Promise<void> {
  for (let each = 0; each < 3; each += 1) {
    await ask(people.tokens.depositor, "POST", "/api/records", draftOf(titleOf(chance), chance));
    later();
  }
  await ask(people.tokens.depositor, "POST", "/api/records", { metadata: { title: "Half a thought about reed beds" } });
}

/** Five drafts to one community: one is accepted, one declined with comments, three wait. */
async function submitDrafts({ ask, people, later }: PendingNeeds, chance: Chance): Promise<void> {
  const { depositor, reviewer } = people.tokens;
  for (let each = 0; each < 5; each += 1) {
    const review = { type: "community-submission", receiver: { community: REVIEWED } };
    const draft = await ask(depositor, "POST", "/api/records", {
      ...draftOf(titleOf(chance), chance),
      parent: { review },
    });
    const payload = { content: "<p>Please have a look. The method is that of last year.</p>", format: "html" };
    const request = await ask(depositor, "POST", `/api/records/${draft.id}/draft/actions/submit-review`, { payload });
    later();
    if (each === 0)
      await ask(reviewer, "POST", `/api/requests/${request.id}/actions/accept`, {
        payload: { content: "<p>Thank you!</p>" },
      });
    if (each === 1) {
      const comments = [{ field: "title", content: "<p>Name the years in the title.</p>" }];
      const declined = { content: "<p>Two small changes, then it is fine.</p>", comments };
      await ask(reviewer, "POST", `/api/requests/${request.id}/actions/decline`, { payload: declined });
    }
    if (each === 2)
      await ask(reviewer, "POST", `/api/requests/${request.id}/comments`, {
        payload: { content: "<p>I read it this week.</p>" },
      });
  }
}

/** Packages by SWORD that wait in a workflow; the first is approved. */
async function depositPackages({ ask, people, later }: PendingNeeds, chance: Chance): Promise<void> {
  for (let each = 0; each < 4; each += 1) {
    const title = titleOf(chance);
    const jpcoar = `<?xml version="1.0" encoding="UTF-8"?>
<jpcoar:jpcoar xmlns:jpcoar="https://github.com/JPCOAR/schema/blob/master/2.0/" xmlns:dc="http://purl.org/dc/elements/1.1/">
  <dc:title xml:lang="ja">${title.ja}</dc:title>
  <dc:title xml:lang="en">${title.en}</dc:title>
  <dc:type rdf:resource="http://purl.org/coar/resource_type/c_ddb1" xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">dataset</dc:type>
</jpcoar:jpcoar>
`;
    const archive = await zipOf([
      { key: "data/item.xml", bytes: Buffer.from(jpcoar) },
      { key: "data/notes.txt", bytes: Buffer.from(`${title.en}\n${title.ja}\n`) },
    ]);
    const form = new FormData();
    form.set("file", new Blob([new Uint8Array(archive)], { type: "application/zip" }), "package.zip");
    await ask(people.tokens.depositor, "POST", "/sword/service-document", form, {
      "content-disposition": "attachment; filename=package.zip",
      packaging: "http://purl.org/net/sword/3.0/package/SimpleZip",
    });
    later();
  }
  const { activities } = await ask(people.admin, "GET", "/api/v1/workflow/activities?status=todo");
  const [first] = Array.isArray(activities) ? activities : [];
  const id = Reflect.get(Object(first), "activity_id");
  if (id !== undefined)
    await ask(people.admin, "POST", `/api/v1/workflow/activities/${id}/approve`, { comment: "Complete" });
}

/** Requests for closed files, which wait for the owners of the items. */
async function askForFiles({ ask, people, published, later }: PendingNeeds): Promise<void> {
  const isClosed = ({ work, files }: Published): boolean =>
    files.length > 0 && (work.access === "restricted" || typeof work.access === "object");
  // Once for each record, whatever the number of its versions.
  const closed = [...new Map(published.filter(isClosed).map((record) => [record.parentId, record])).values()].slice(
    0,
    6,
  );
  for (const { id, work } of closed) {
    // Members of the community may read the files of its items.
    const asker = work.isInCommunity ? people.tokens.depositor : people.tokens.reviewer;
    await ask(asker, "POST", `/api/records/${id}/access/request`, {
      permission: "view",
      message: "To compare the series with that of the next valley. Nothing of it will be passed on.",
      consent_to_share_personal_data: true,
    });
    later();
  }
}
