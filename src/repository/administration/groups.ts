// Groups of accounts, which indexes and files name (R6a).

import type { Group } from "../../auth/accounts.ts";
import { Refusal } from "../../shared/refusal.ts";
import {
  type AdministrationNeeds,
  type CollectionOf,
  type CreatingOf,
  change,
  missing,
  numberOf,
  requireAccounts,
} from "./collection.ts";
import { GROUP, NEW_GROUP } from "./records.ts";

const shown = ({ id, name, members }: Group) => ({ id, name, members });

export function groupCollection(needs: AdministrationNeeds): CollectionOf<typeof GROUP> & CreatingOf<typeof GROUP> {
  const { store } = needs;
  const find = (groups: readonly Group[], id: string): Group => {
    const number = numberOf(id, "group");
    const group = groups.find((each) => each.id === number);
    if (group === undefined) throw missing("group", id);
    return group;
  };
  return {
    list: async () => (await store.accounts.groups()).map(shown),
    read: async (id) => shown(find(await store.accounts.groups(), id)),
    create: (viewer, sent) =>
      change(needs, viewer, async (tx, at, audit) => {
        const { name, members } = GROUP.read(NEW_GROUP, sent);
        await requireAccounts(tx, members, "members");
        const id = await tx.accounts.insertGroup(name, at);
        if (id === null) throw taken(name);
        await tx.accounts.setGroupMembers(id, members);
        await audit("group-add", `group:${id}`, { name, members: members.length });
        return { id, name, members };
      }),
    update: (viewer, id, sent) =>
      change(needs, viewer, async (tx, _at, audit) => {
        const before = find(await tx.accounts.groups(), id);
        const { name, members } = GROUP.read({ name: before.name, members: before.members }, sent);
        await requireAccounts(tx, members, "members");
        if (name !== before.name && !(await tx.accounts.renameGroup(before.id, name))) throw taken(name);
        await tx.accounts.setGroupMembers(before.id, members);
        await audit("group-set", `group:${before.id}`, { name, members: members.length });
        return { id: before.id, name, members };
      }),
  };
}

const taken = (name: string): Refusal => new Refusal("conflict", `Another group has the name "${name}" already`);
