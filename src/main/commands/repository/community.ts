// `arkstone community`: communities, their members and their part of the index tree (R6a).

import { MEMBER_ROLES } from "../../../auth/account.ts";
import { withoutUndefined } from "../../../shared/objects.ts";
import { jsonLine } from "../../process/terminal.ts";
import { type Command, command } from "../command.ts";
import { UsageError } from "../refusals.ts";
import { listCommand, numberOrNone, showRecord } from "./records.ts";
import { namedAccount, OPERATOR, withRepository } from "./repository-context.ts";

const MEMBERS = {
  "title-en": { type: "string", value: "TEXT", help: "Its title in English" },
  "title-ja": { type: "string", value: "TEXT", help: "Its title in Japanese" },
  type: { type: "string", value: "TYPE", help: 'Id of the vocabulary communitytypes, "none" for none' },
  visibility: { type: "string", value: "WHO", help: "public or restricted" },
  "review-policy": {
    type: "string",
    value: "POLICY",
    help: "closed (everything is reviewed), members (what others send is), or open",
  },
  "root-index": { type: "string", value: "ID", help: "Index whose items belong to it, none for none" },
} as const;

type CommunityOptions = { readonly [name in keyof typeof MEMBERS]: string | undefined };

function membersOf(asked: CommunityOptions, before: { readonly title?: unknown }) {
  const titles = typeof before.title === "object" && before.title !== null ? before.title : {};
  const en = asked["title-en"];
  const ja = asked["title-ja"];
  const title = en === undefined && ja === undefined ? undefined : { ...titles, ...withoutUndefined({ en, ja }) };
  return withoutUndefined({
    title,
    type: asked.type === "none" ? "" : asked.type,
    visibility: asked.visibility,
    review_policy: asked["review-policy"],
    root_index: numberOrNone("root-index", asked["root-index"]),
  });
}

const add = command({
  name: "community add",
  summary: "Make a community",
  words: ["SLUG"],
  options: MEMBERS,
  details: "SLUG is what communityIds and communityid of the interfaces name: lower-case letters, digits, - and _.",
  examples: ['arkstone community add physics --title-en "Physics" --title-ja 物理学 --root-index 1'],
  run: (context, given, [slug = ""]) =>
    withRepository(context, async ({ admin }) => {
      const [en, ja] = [given["title-en"] ?? slug, given["title-ja"] ?? given["title-en"] ?? slug];
      const members = { ...membersOf(given, {}), slug, title: { en, ja } };
      showRecord(context, await admin.communities.create(OPERATOR, members));
    }),
});

const list = listCommand(
  "community list",
  "List the communities",
  ({ admin }) => admin.communities.list(),
  ["slug", "title", "visibility", "review_policy", "root_index", "id"],
  "No community yet",
);

const show = command({
  name: "community show",
  summary: "Show a community with its members",
  words: ["SLUG"],
  examples: ["arkstone community show physics"],
  run: (context, _given, [slug = ""]) =>
    withRepository(context, async ({ admin }) => showRecord(context, await admin.communities.read(slug))),
});

const set = command({
  name: "community set",
  summary: "Change a community",
  words: ["SLUG"],
  options: { ...MEMBERS, slug: { type: "string", value: "SLUG", help: "Its slug from now on" } },
  details:
    "With another root index, the items below it belong to the community from then on, and those below the old one no more.",
  examples: ["arkstone community set physics --review-policy closed --root-index none"],
  run: (context, given, [slug = ""]) =>
    withRepository(context, async ({ admin }) => {
      const members = {
        ...membersOf(given, await admin.communities.read(slug)),
        ...withoutUndefined({ slug: given.slug }),
      };
      showRecord(context, await admin.communities.update(OPERATOR, slug, members));
    }),
});

const member = command({
  name: "community member",
  summary: "Give somebody a role in a community, or take it away",
  words: ["SLUG", "USER", "ROLE"],
  details: `ROLE is ${MEMBER_ROLES.join(", ")}, or none. To administer the community an owner or manager also needs the role community-administrator.`,
  examples: [
    "arkstone community member physics ada@example.org manager",
    "arkstone community member physics ada@example.org none",
  ],
  run: (context, _given, [slug = "", user = "", role = ""]) => {
    const wanted = MEMBER_ROLES.find((each) => each === role);
    if (wanted === undefined && role !== "none") {
      throw new UsageError(`ROLE must be ${MEMBER_ROLES.join(", ")} or none, not "${role}"`, "");
    }
    return withRepository(context, async (services) => {
      const { id } = await namedAccount(services, user);
      const { members } = await services.admin.communities.read(slug);
      const others = (Array.isArray(members) ? members : []).filter(({ account }) => account !== id);
      const all = wanted === undefined ? others : [...others, { account: id, role: wanted }];
      showRecord(context, await services.admin.communities.update(OPERATOR, slug, { members: all }));
    });
  },
});

const remove = command({
  name: "community remove",
  summary: "Delete a community; its items and indexes stay",
  words: ["SLUG"],
  examples: ["arkstone community remove physics"],
  run: (context, _given, [slug = ""]) =>
    withRepository(context, async ({ admin }) => {
      await admin.communities.remove(OPERATOR, slug);
      context.out(context.json ? jsonLine({ slug, deleted: true }) : `Deleted ${slug}.\n`);
    }),
});

export const communityCommands: readonly Command[] = [add, list, show, set, member, remove];
