// Open requests for closed files that wait for an account (db/repository/items/access-requests.ts): the same ones whether
// few or many are open in the repository.
import { describe, expect, test } from "bun:test";
import { REPOSITORY_OPERATOR } from "../../src/auth/account.ts";
import { onEachDatabase } from "../support/databases.ts";
import { rawDatabase } from "../support/filed-items.ts";
import { NOW } from "../support/seed.ts";
import { aContent, itemsWorld, titled } from "../support/world/items.ts";

const MANY = 1_200;

describe("requests for closed files", () => {
  onEachDatabase((database) => {
    test("Q.60 R9b those that wait for somebody are the same however many others are open", async () => {
      const url = await database.url();
      const world = await itemsWorld({ url });
      const [owner = 0, manager = 0, member = 0, other = 0] = await Promise.all(
        [3, 4, 5, 6].map(async () => (await world.person([3])).account?.id ?? 0),
      );
      const filed = async (title: string, by: number) => {
        const content = aContent({ metadata: titled(title) });
        return (await world.items.createAndPublish(REPOSITORY_OPERATOR, { content, owner: by })).item.parentId;
      };
      const [own, granted, grouped, inCommunity, foreign] = [
        await filed("Own", owner),
        await filed("Granted", other),
        await filed("Of a group", other),
        await filed("In a community", other),
        await filed("Foreign", other),
      ];
      const { sql, close } = await rawDatabase(url);
      const grant = (parent: number, subject: string, of: number) =>
        sql(`insert into item_grant (parent_id, subject, subject_id, permission)
          values (${parent}, '${subject}', ${of}, 'manage')`);
      await grant(granted, "user", manager);
      await sql(`insert into account_group (name, created_at) values ('Group', '${NOW}')`);
      const [group] = await sql<{ id: number }>("select id from account_group where name = 'Group'");
      await sql(`insert into account_group_member (group_id, account_id) values (${group?.id}, ${member})`);
      await grant(grouped, "role", Number(group?.id));
      await sql(`insert into item_community (parent_id, community_id) values (${inCommunity}, '${world.community}')`);
      const ask = (id: string, parent: number, status: string) =>
        sql(`insert into access_request (id, type, status, parent_id, item_id, title, message, answer, mail, name, language,
            consent, ended_because, created_at, updated_at)
          values ('${id}', 'guest-access-request', '${status}', ${parent}, ${parent}, 'T', '', '', '${id}@example.org', '', 'en',
            0, '', '${NOW}', '${NOW}')`);
      for (const parent of [own, granted, grouped, inCommunity, foreign]) {
        for (const status of ["submitted", "declined"]) await ask(`${status}-${parent}`, parent, status);
        await ask(`second-${parent}`, parent, "submitted");
      }
      const seen = async () =>
        await Promise.all(
          [owner, manager, member, other].map(async (account) => {
            const found: (readonly string[])[] = [];
            for (const communities of [[], [world.community]]) {
              const sight = { account, communities };
              const requests = await world.store.accessRequests.accessRequestsFor(sight, 100);
              expect(await world.store.accessRequests.countAccessRequestsFor(sight)).toBe(requests.length);
              found.push(requests.map(({ id }) => id).filter((id) => !id.startsWith("more")));
            }
            return found;
          }),
        );
      const few = await seen();
      const of = (...parents: number[]) =>
        parents.flatMap((parent) => [`second-${parent}`, `submitted-${parent}`]).sort();
      expect(few.slice(0, 3).map(([alone = [], both = []]) => [[...alone].sort(), [...both].sort()])).toEqual([
        [of(own), of(own, inCommunity)],
        [of(granted), of(granted, inCommunity)],
        [of(grouped), of(grouped, inCommunity)],
      ]);
      const stranger = await filed("Of a stranger", (await world.person([3])).account?.id ?? 0);
      for (let n = 0; n < MANY; n += 1) await ask(`more-${n}`, stranger, "submitted");
      expect(await seen()).toEqual(few);
      await close();
      await world.close();
    });
  });
});
