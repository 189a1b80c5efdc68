// The deposit interface on PostgreSQL: the ways through it that depend on the database (R2b, R2c, R5, R13, R16, R18,
// R19).
import { expect, test } from "bun:test";
import { onPostgres } from "../support/databases.ts";
import { cratePackage, splitPackage, tablePackage, xmlPackage } from "../support/deposit-requests.ts";
import { type Answer, recidOf } from "../support/world/repository.ts";
import { setUpWorld } from "../support/world.ts";

const activityOf = ({ json }: Answer): string =>
  String((json.links as { readonly "@id": string }[])[0]?.["@id"])
    .split("/")
    .at(-1) ?? "";

onPostgres("the deposit interface", (database) => {
  const world = setUpWorld({ repository: true, database });

  test("R2b R2c R5 register, replace, upgrade, delete, restore", async () => {
    const id = recidOf(await world.deposit("registered", cratePackage()));
    expect((await world.item(id)).ark).toMatch(/^99999\/b1/);
    expect((await world.replace("registered", id, tablePackage())).json.eTag).toBe("2");
    const next = recidOf(await world.replace("registered", id, cratePackage({ "svc:editMode": "Upgrade" })));
    expect((await world.item(next)).isLatest).toBe(true);
    expect((await world.remove("registered", next)).status).toBe(204);
    expect((await world.item(id)).isLatest).toBe(true);
    await world.items.restore(await world.viewer("admin"), next);
    expect((await world.status("registered", next)).json.eTag).toBe("3");
    expect((await world.deposit("registered", splitPackage())).status).toBe(201);
  });

  test("R16 a workflow: 202, throw-out, again, approval; an update; a deletion", async () => {
    const workflow = await world.workflow({ delete: { actions: ["start", "approval", "end"] } });
    const slow = await world.token("registered", undefined, { registrationType: 2, workflow });
    const approver = await world.viewer("approver");
    const decision = { comment: "", index: null };
    const answer = await world.deposit(slow, xmlPackage());
    const [id, activity] = [recidOf(answer), activityOf(answer)];
    await world.activities.throwOut(approver, activity, "");
    expect((await world.replace(slow, id, cratePackage())).status).toBe(202);
    expect((await world.activities.approve(approver, activity, decision)).done).toBe(true);
    const update = await world.replace(slow, id, cratePackage({ "svc:editMode": "Upgrade" }));
    expect(update.status).toBe(202);
    expect((await world.activities.approve(approver, activityOf(update), decision)).done).toBe(true);
    const removal = await world.remove(slow, id);
    expect(removal.status).toBe(202);
    const page = removal.headers.get("location") ?? "";
    await world.activities.approve(approver, page.split("/").at(-1) ?? "", decision);
    expect((await world.status("registered", id)).status).toBe(404);
  });

  test("R13 R18 R19 many at once: one for each key, one of each duplicate, no revision lost", async () => {
    const count = await world.countItems();
    const pkg = cratePackage();
    const keyed = { headers: { "idempotency-key": "at once" } };
    const answers = await Promise.all([1, 2, 3, 4].map(() => world.deposit("registered", pkg, keyed)));
    for (const { status } of answers) expect([201, 503]).toContain(status);
    expect(await world.countItems()).toBe(count + 1);
    const who = await world.token("registered", undefined, { duplicateCheck: true });
    const twin = () => cratePackage({ identifier: "https://doi.org/10.5555/pg-twin" });
    const twins = await Promise.all([1, 2, 3, 4].map(() => world.deposit(who, twin())));
    expect(twins.map(({ status }) => status).sort()).toEqual([201, 400, 400, 400]);
    const id = recidOf(await world.deposit("registered", cratePackage()));
    const replaced = await Promise.all([1, 2, 3, 4].map(() => world.replace("registered", id, cratePackage())));
    const taken = replaced.filter(({ status }) => status === 200).length;
    expect(replaced.filter(({ status }) => status === 400).length).toBe(4 - taken);
    expect([taken > 0, (await world.item(id)).revision]).toEqual([true, 1 + taken]);
    // Of two accounts: one alone has four places (SVC_DEPOSITS_PER_ACCOUNT).
    const busy = await Promise.all(
      [1, 2, 3].flatMap(() => (["registered", "other"] as const).map((who) => world.deposit(who, cratePackage()))),
    );
    expect(busy.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201, 201]);
  });
});
