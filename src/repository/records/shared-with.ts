// With whom a record is shared, by name (R15, R37): what the page of sharing shows, and the accounts and groups that
// people name there. Only who shares the record is answered.
import type { Viewer } from "../../auth/account.ts";
import type { Grant } from "../../model/items/item.ts";
import type { Metadata } from "../../model/metadata/metadata.ts";
import { EMPTY_METADATA } from "../../model/metadata/metadata.ts";
import { personName } from "../../model/metadata/reader-language.ts";
import type { AccountId, ItemId } from "../../shared/ids.ts";
import { normalForm } from "../../shared/text/text.ts";
import type { AccessLink } from "../store/access-links.ts";
import type { RepositoryReader } from "../store/store.ts";
import type { RecordLinks } from "./record-links.ts";
import { type GrantSubject, type RecordSharing, subjectId } from "./record-sharing.ts";

/** Accounts of one name that are returned, for the choice by number. */
const NAMESAKES_MOST = 10;
const NAME_MAX = 320;

type SharedRecord = {
  readonly metadata: Metadata;
  /** `name`: empty where it has none that others may see. */
  readonly grants: readonly (Grant & { readonly name: string })[];
  readonly links: readonly AccessLink[];
};

export interface SharedWith {
  /** @throws Refusal not_found, forbidden. */
  sharedRecord(viewer: Viewer, id: ItemId): Promise<SharedRecord>;
  /** Those with this number, mail address or whole name. @throws Refusal not_found, forbidden. */
  subjectsNamed(viewer: Viewer, id: ItemId, kind: Grant["subject"], text: string): Promise<readonly GrantSubject[]>;
}

type SharedWithNeeds = {
  readonly store: Pick<RepositoryReader, "accounts" | "items">;
  readonly records: Pick<RecordSharing & RecordLinks, "grants" | "links">;
};

export const sharedWith = ({ store, records }: SharedWithNeeds): SharedWith => {
  const { accounts } = store;

  async function namesOf(grants: readonly Grant[]): Promise<ReadonlyMap<string, string>> {
    const people = grants.flatMap(({ subject, id }) => (subject === "user" ? [id] : []));
    const found = people.length === 0 ? [] : await accounts.accounts(people);
    const groups = grants.some(({ subject }) => subject === "role") ? await accounts.groups() : [];
    return new Map([
      ...found.map((account) => [`user ${account.id}`, personName(account)] as const),
      ...groups.map(({ id, name }) => [`role ${id}`, name] as const),
    ]);
  }

  async function groupsNamed(text: string): Promise<readonly number[]> {
    const number = subjectId(text);
    if (number !== null && (await accounts.hasGroup(number))) return [number];
    return (await accounts.groups()).filter(({ name }) => name === text).map(({ id }) => id);
  }

  async function accountsNamed(text: string): Promise<readonly AccountId[]> {
    const number = subjectId(text);
    const found = number === null ? null : await accounts.account(number);
    if (found !== null) return found.active ? [found.id] : [];
    if (!text.includes("@")) return (await accounts.accountsNamed(text, NAMESAKES_MOST)).map(({ id }) => id);
    const byMail = await accounts.accountByMail(text.toLowerCase());
    return byMail?.active === true ? [byMail.id] : [];
  }

  return {
    async sharedRecord(viewer, id) {
      const grants = await records.grants(viewer, id);
      const [links, names, item] = [await records.links(viewer, id), await namesOf(grants), await store.items.item(id)];
      const content = item?.content ?? (await store.items.draft(id))?.content;
      return {
        metadata: content?.metadata ?? EMPTY_METADATA,
        grants: grants.map((grant) => ({ ...grant, name: names.get(`${grant.subject} ${grant.id}`) ?? "" })),
        links,
      };
    },

    async subjectsNamed(viewer, id, kind, sent) {
      await records.grants(viewer, id);
      const text = normalForm(sent.slice(0, NAME_MAX), "NFC").trim();
      if (text === "" || text.includes("\0")) return [];
      const ids = kind === "role" ? await groupsNamed(text) : await accountsNamed(text);
      return ids.map((each) => ({ subject: kind, id: each }));
    },
  };
};
