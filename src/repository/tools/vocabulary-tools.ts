// What the tools of vocabularies, and whoami, do (R30; reference 1.2, 1.4).
import type { Viewer } from "../../auth/account.ts";
import { isRefusal } from "../../shared/refusal.ts";
import type { ShownToken, WhoamiAnswer } from "../people/whoami.ts";
import type { RecordLists } from "../record-lists/record-lists.ts";
import type { VocabularyReading } from "../vocabularies/vocabulary-reading.ts";
import { ToolRefusal } from "./outcome.ts";
import { noneOf, paged, pageOf } from "./tool-input.ts";
import type { HttpHandlers } from "./tool-table.ts";

export type VocabularyToolNeeds = { readonly vocabularies: VocabularyReading };

/** Returned instead of an empty list, which would look like a word that was not found. */
const EMPTY =
  "this repository has loaded no entries of it: no query finds one; write names as free text where the metadata take them";

export function vocabularyTools({ vocabularies }: VocabularyToolNeeds) {
  const sizeOf = async (type: string): Promise<number> =>
    (await vocabularies.types()).find(({ id }) => id === type)?.count ?? 0;

  return {
    async list_vocabulary_types() {
      const types = await vocabularies.types();
      const empty = types.filter(({ count }) => count === 0).map(({ id }) => id);
      return {
        total: types.length,
        types: types.map(({ id, count }) => ({ id, count })),
        ...(empty.length === 0 ? {} : { note: `Empty here: ${empty.join(", ")}; no query finds anything in them` }),
      };
    },

    async list_vocabulary({ args }) {
      const [type, query, paging] = [args.vocab_type, args.query, pageOf(args)];
      try {
        const found = await vocabularies.search(type, { ...(query === "" ? {} : { suggest: query }), ...paging });
        const isEmpty = found.total === 0 && (await sizeOf(type)) === 0;
        return {
          type,
          ...paged(found.total, paging),
          items: found.items.map(entryOf),
          ...(isEmpty ? { note: EMPTY } : {}),
        };
      } catch (error) {
        if (!isRefusal(error, "not_found")) throw error;
        const types = (await vocabularies.types()).map(({ id }) => id);
        throw new ToolRefusal(
          "not_found",
          `There is no vocabulary "${type.slice(0, 100)}".`,
          `vocab_type is one of ${types.join(", ")}`,
          [{ field: "vocab_type", messages: [noneOf(type, types)] }],
        );
      }
    },
  } satisfies Partial<HttpHandlers>;
}

/** Id, title in every language, and what tells it from others. */
function entryOf({ id, ...item }: { readonly id: string } & Readonly<Record<string, unknown>>) {
  const title = item.title ?? item.name ?? item.subject;
  return {
    id,
    ...(title === undefined ? {} : { title }),
    ...(item.scheme === undefined ? {} : { scheme: item.scheme }),
    ...(item.props === undefined ? {} : { props: item.props }),
    ...(item.identifiers === undefined ? {} : { identifiers: item.identifiers }),
    ...(item.affiliations === undefined ? {} : { affiliations: item.affiliations }),
  };
}

export type PersonToolNeeds = {
  readonly whoami: (viewer: Viewer) => Promise<WhoamiAnswer>;
  readonly shownToken: (viewer: Viewer) => Promise<ShownToken>;
  readonly lists: RecordLists;
  /** Where people see and change what is known of them. */
  readonly profileUrl: string;
};

export function personTools({ whoami, shownToken, lists, profileUrl }: PersonToolNeeds) {
  const count = (viewer: Viewer, isPublished: boolean): Promise<number> =>
    lists.count(viewer, { kind: "own" }, new Map([["is_published", [String(isPublished)]]]));

  return {
    async whoami({ viewer }) {
      const { account, roles, communities, isEmailPending } = await whoami(viewer);
      const { clientId, endsAt, audience } = await shownToken(viewer);
      return {
        subject: String(account.id),
        client_id: clientId,
        scopes: viewer.scopes === null ? [] : [...viewer.scopes],
        token: {
          ...(endsAt === null ? {} : { expires_at: endsAt }),
          ...(audience === null ? {} : { audience }),
        },
        user: {
          id: String(account.id),
          name: account.name,
          roles: roles.map(({ name }) => name),
          communities: communities.map(({ slug, role }) => ({ slug, role })),
        },
        email: account.mail,
        email_pending_setup: isEmailPending,
        profile_settings_url: profileUrl,
        records: { published: await count(viewer, true), drafts: await count(viewer, false) },
      };
    },
  } satisfies Partial<HttpHandlers>;
}
