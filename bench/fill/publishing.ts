// What is published through the interface: the accounts, indexes and communities of a filled repository, its persons,
// and its works.
import { Buffer } from "node:buffer";
import { type Language, type personOf, type Shape, shapesOf, type Texts } from "./content.ts";
import type { Ask, Filling, Json } from "./repository.ts";

/** Who and what works belong to. */
export type Base = {
  readonly admin: string;
  /** Tokens of those who deposit, and of the one who owns the communities. */
  readonly owners: readonly string[];
  readonly keeper: string;
  readonly communities: readonly string[];
  readonly indexes: readonly number[];
};

export type BaseSize = { readonly owners: number; readonly communities: number; readonly indexes: number };
/** More works than these have no template of their own. */
export const TEMPLATES = 200;
export const BASE_SIZE: BaseSize = { owners: 25, communities: 40, indexes: 150 };

export async function makeBase(filling: Filling, size: BaseSize): Promise<Base> {
  const { ask } = filling;
  const admin = await filling.setUp();
  const members: { readonly type: "user"; readonly id: string }[] = [];
  const account = async (mail: string, name: string, roles: readonly number[]): Promise<string> => {
    const { id } = await ask(admin, "POST", "/api/v1/admin/users", { mail: `${mail}@example.org`, name, roles });
    if (mail !== "keeper") members.push({ type: "user", id: String(id) });
    return await filling.tokenOf(Number(id));
  };
  const keeper = await account("keeper", "Keeper", [4]);
  const owners: string[] = [];
  for (let n = 0; n < size.owners; n += 1) owners.push(await account(`owner-${n}`, `Owner ${n}`, [4]));
  const indexes: number[] = [];
  for (let n = 0; n < size.indexes; n += 1) {
    const parent = n < 12 ? 0 : (indexes[Math.floor((n - 12) / 6)] ?? 0);
    indexes.push(await makeIndex(ask, admin, parent, n));
  }
  const communities: string[] = [];
  for (let n = 0; n < size.communities; n += 1) {
    // What is sent to the others is accepted at once.
    const review_policy = n % 20 === 3 ? "closed" : "members";
    const access = { visibility: "public", members_visibility: "public", record_policy: "open", review_policy };
    const metadata = { title: `Community ${n}`, title_ja: `コミュニティ ${n}`, description: `The works of field ${n}` };
    await ask(keeper, "POST", "/api/communities", { slug: `field-${n}`, metadata, access });
    await ask(keeper, "POST", `/api/communities/field-${n}/members`, { members, role: "curator" });
    communities.push(`field-${n}`);
  }
  return { admin, keeper, owners, communities, indexes };
}

async function makeIndex(ask: Ask, admin: string, parent: number, n: number): Promise<number> {
  const names = { index_name: `分野 ${n}`, index_name_english: `Field ${n}` };
  const links = { index_link_name: `分野 ${n}`, index_link_name_english: `Field ${n}` };
  const answer = await ask(admin, "POST", "/api/v1/tree/index", {
    index: { parent, ...names, ...links, public_state: true },
  });
  return Number(Object(answer.index).cid ?? Object(answer.index).id ?? answer.id);
}

export const shapesIn = (count: number, { owners, communities, indexes }: Base): readonly Shape[] =>
  shapesOf(count, { owners: owners.length, communities: communities.length, indexes: indexes.length });

export type Person = ReturnType<typeof personOf>;

export async function publishPerson(ask: Ask, { admin }: Base, person: Person): Promise<number> {
  const nameOf = (language: Language) => ({
    language,
    familyName: person[language].family,
    firstName: person[language].given,
  });
  const author = {
    authorIdInfo: [{ idType: "ISNI", authorId: person.identifier }],
    authorNameInfo: [nameOf("en"), nameOf("ja")],
    affiliationInfo: [{ affiliationNameInfo: [{ affiliationName: person.affiliation, affiliationNameLang: "en" }] }],
  };
  const made = await ask(admin, "POST", "/api/v1/authors", { author });
  return Number(Object(made.author).id ?? made.id ?? 0);
}

function bodyOf(shape: Shape, texts: Texts): Json {
  const { language } = shape;
  const code = { en: "eng", ja: "jpn" };
  const other = language === "en" ? "ja" : "en";
  const creators = texts.creators.map(({ family, given }, at) => ({
    person_or_org: {
      type: "personal",
      family_name: family,
      given_name: given,
      ...(at < shape.linked ? { identifiers: [{ scheme: "isni", identifier: texts.identifiers[at] }] } : {}),
    },
  }));
  return {
    metadata: {
      resource_type: { id: shape.type },
      title: texts.title,
      additional_titles: [{ title: texts.translated, type: { id: "translated-title" }, lang: { id: code[other] } }],
      publication_date: texts.published,
      publisher: texts.publisher,
      creators,
      description: texts.abstract,
      subjects: texts.subjects.map((subject) => ({ subject })),
      languages: [{ id: code[language] }],
      rights: [{ id: shape.licence }],
    },
    pids: { doi: { identifier: texts.doi, provider: "external" } },
    access: { record: "public", files: shape.access === "restricted" ? "restricted" : "public" },
    files: { enabled: texts.files.length > 0 },
  };
}

/** Publishes a work with its versions, or leaves it as a draft. */
export async function publishWork(ask: Ask, base: Base, shape: Shape, texts: Texts): Promise<void> {
  const who = base.owners[shape.owner] ?? base.admin;
  const community = shape.community === null ? undefined : base.communities[shape.community];
  const body = bodyOf(shape, texts);
  if (shape.kind !== "published") {
    const review = { type: "community-submission", receiver: { community } };
    const isSubmitted = shape.kind === "submitted";
    const draft = await ask(who, "POST", "/api/records", isSubmitted ? { ...body, parent: { review } } : body);
    if (!isSubmitted) return;
    const payload = { content: "<p>Please have a look.</p>", format: "html" };
    await ask(who, "POST", `/api/records/${draft.id}/draft/actions/submit-review`, { payload });
    return;
  }
  const draft = await ask(who, "POST", "/api/records", body);
  await upload(ask, who, Number(draft.id), shape, texts);
  let record = Number((await ask(who, "POST", `/api/records/${draft.id}/draft/actions/publish`)).id);
  if (shape.index !== null) {
    const indexes = [base.indexes[shape.index]];
    await ask(base.admin, "PUT", `/api/v1/items/${record}/indexes`, { indexes });
  }
  if (community !== undefined) {
    await ask(who, "POST", `/api/records/${record}/communities`, { communities: [{ id: community }] });
  }
  for (let version = 2; version <= shape.versions + 1; version += 1) {
    const next = await ask(who, "POST", `/api/records/${record}/versions`);
    const metadata = { ...Object(body.metadata), version: String(version), title: `${texts.title} (${version})` };
    await ask(who, "PUT", `/api/records/${next.id}/draft`, { metadata, files: body.files });
    await upload(ask, who, Number(next.id), shape, texts);
    record = Number((await ask(who, "POST", `/api/records/${next.id}/draft/actions/publish`)).id);
  }
}

async function upload(ask: Ask, who: string, id: number, shape: Shape, texts: Texts): Promise<void> {
  if (shape.files.length === 0) return;
  const status = shape.access === "closed" ? "closed" : "open";
  await ask(
    who,
    "POST",
    `/api/records/${id}/draft/files`,
    shape.files.map((key) => ({ key, access: { status } })),
  );
  for (const [at, key] of shape.files.entries()) {
    await ask(who, "PUT", `/api/records/${id}/draft/files/${key}/content`, Buffer.from(texts.files[at] ?? ""));
    await ask(who, "POST", `/api/records/${id}/draft/files/${key}/commit`);
  }
}
