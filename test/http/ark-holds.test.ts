// Holds on names, shoulders and NAANs through the endpoints (A16, A17, A42; the errors 1008, 1009, 1020, 1302, 1308).
import { describe, expect, test } from "bun:test";
import { aNaan, aShoulder } from "../support/seed.ts";
import { type Json, solemnly } from "../support/world/names.ts";
import { setUpWorld } from "../support/world.ts";

const world = setUpWorld({ names: true });

const UNTIL = "2026-12-01T09:00:00+09:00";
const reason = "A complaint";
const hold = (who: string, target: Json, until = UNTIL) => world.send(who, "PUT", "hold", { ...target, until, reason });

describe("A42 a hold on a name", () => {
  test("A17 A42 it answers the record, ends by the clock, and is null once it is over", async () => {
    const ark = await world.make("published");
    const { status, body } = await hold("org-a", { ark });
    expect(status).toBe(200);
    const expected = { ark, hold_until: "2026-12-01T00:00:00.000Z", hold_reason: reason, state: "published" };
    expect(body).toMatchObject(expected);
    world.time.now = "2026-12-01T00:00:00.000Z";
    expect(await world.read(ark)).toMatchObject({ hold_until: null, hold_reason: null });
    world.time.now = "2026-11-20T10:00:00.000Z";
  });

  test("A42 a second hold replaces the first, release ends it, releasing again does nothing", async () => {
    const ark = await world.make("published");
    await hold("org-a", { ark });
    const longer = await hold("org-a", { ark }, "2026-12-24T00:00:00Z");
    expect(longer.body.hold_until).toBe("2026-12-24T00:00:00.000Z");
    for (let time = 0; time < 2; time++) {
      const released = await world.send("org-a", "PUT", "hold/release", { ark });
      expect(released.body).toMatchObject({ ark, hold_until: null, hold_reason: null });
    }
    const entries = await world.history(ark);
    expect(entries.map(({ action, reason: why, fields }) => [action, why, fields]).slice(1)).toEqual([
      ["hold", reason, ["hold_until", "hold_reason"]],
      ["hold", reason, ["hold_until"]],
      ["release", "", ["hold_until", "hold_reason"]],
    ]);
  });

  test("A42 a hold outlasts unpublish and publish: unpublishing a name does not avoid it", async () => {
    const ark = await world.make("published");
    await hold("org-a", { ark });
    await world.send("org-a", "POST", "unpublish", solemnly(ark));
    const again = await world.send("org-a", "POST", "publish", { ark });
    expect(again.body).toMatchObject({ state: "published", hold_reason: reason });
  });

  test("A28 A42 the end is in the future and at most 90 days away (1020)", async () => {
    const ark = await world.make("published");
    for (const until of ["2026-11-20T10:00:00Z", "2020-01-01T00:00:00Z", "2027-02-18T10:00:00.001Z", "9999-12-31"]) {
      const answer = await hold("org-a", { ark }, until);
      expect(`${until} ${answer.status} ${answer.body.code}`).toBe(`${until} 400 SVC-1020`);
    }
    expect((await hold("org-a", { ark }, "2026-11-20T10:00:00.001Z")).status).toBe(200);
    expect((await hold("org-a", { ark }, "2027-02-18T10:00:00Z")).status).toBe(200);
  });

  test("A17 A29 a wrong until, a blank or long reason, or not exactly one target is a 422", async () => {
    const ark = await world.make("published");
    const untils = ["tomorrow", "2026-13-01T00:00:00Z", "2026-02-30T00:00:00Z", "2026-12-01T25:00:00Z", undefined];
    const reasons = [undefined, "", "  ", "x".repeat(501), "bell\u0007"];
    const cases: readonly (readonly [Json, readonly string[]])[] = [
      ...untils.map((until): [Json, string[]] => [{ ark, until, reason }, ["body", "until"]]),
      ...reasons.map((wrong): [Json, string[]] => [{ ark, until: UNTIL, reason: wrong }, ["body", "reason"]]),
      [{ until: UNTIL, reason }, ["body"]],
      [{ ark, naan: "99999", until: UNTIL, reason }, ["body"]],
      [{ ark, until: UNTIL, reason, extra: 1 }, ["body", "extra"]],
    ];
    for (const [body, loc] of cases) {
      const answer = await world.send("naan", "PUT", "hold", body);
      expect(answer.status).toBe(422);
      expect(answer.body.detail).toMatchObject([{ loc }]);
    }
    expect((await world.send("naan", "PUT", "hold/release", {})).status).toBe(422);
  });
});

describe("A42 a hold on a shoulder or a NAAN", () => {
  const shoulder = async (name: string) =>
    (await world.store.shoulders(["99999"])).find((row) => row.shoulder === name);
  const naan = async (name: string) => (await world.store.naans()).find((row) => row.naan === name);

  test("A42 both need the reach of the NAAN (1302)", async () => {
    for (const target of [
      { shoulder: "b1" },
      { shoulder: "99999/b1" },
      { shoulder: "zz9" },
      { naan: "99999" },
      { naan: "77777" },
    ]) {
      for (const call of ["hold", "hold/release"]) {
        const body = call === "hold" ? { ...target, until: UNTIL, reason } : target;
        const answer = await world.send("org-a", "PUT", call, body);
        expect(`${answer.status} ${answer.body.code}`).toBe("403 SVC-1302");
      }
    }
    expect((await hold("foreign", { shoulder: "99999/b1" })).body.code).toBe("SVC-1302");
    expect((await hold("foreign", { naan: "99999" })).body.code).toBe("SVC-1302");
    expect((await hold("naan", { shoulder: "88888/b1" })).body.code).toBe("SVC-1302");
    expect((await hold("naan", { naan: "not one" })).body.code).toBe("SVC-1302");
  });

  test("A6 A42 A27 a shoulder in any spelling is held and released, and both are signed", async () => {
    for (const spelled of ["b1", "/b1", "99999/b1", "ark:99999/b1", "ark:/99999/b1"]) {
      const { status, body } = await hold("naan", { shoulder: spelled });
      expect(status).toBe(200);
      const expected = { scope: "shoulder", naan: "99999", shoulder: "b1", until: "2026-12-01T00:00:00.000Z", reason };
      expect(body).toEqual(expected);
      expect(await shoulder("b1")).toMatchObject({ holdUntil: "2026-12-01T00:00:00.000Z", holdReason: reason });
      const released = await world.send("naan", "PUT", "hold/release", { shoulder: spelled });
      expect(released.body).toEqual({ scope: "shoulder", naan: "99999", shoulder: "b1", until: null, reason: null });
      expect(await shoulder("b1")).toMatchObject({ holdUntil: null, holdReason: null });
    }
  });

  test("A42 a NAAN is held and released, one we only forward for by the system tier alone; an unregistered one is 403 (1308)", async () => {
    const { body } = await hold("naan", { naan: "ark:99999" });
    expect(body).toEqual({ scope: "naan", naan: "99999", shoulder: null, until: "2026-12-01T00:00:00.000Z", reason });
    expect(await naan("99999")).toMatchObject({ holdReason: reason, name: "Example" });
    await world.send("system", "PUT", "hold/release", { naan: "99999" });
    expect(await naan("99999")).toMatchObject({ holdUntil: null, holdReason: null });
    const foreign = await hold("system", { naan: "ark:/88888" });
    const expected = { scope: "naan", naan: "88888", shoulder: null, until: "2026-12-01T00:00:00.000Z", reason };
    expect(foreign.body).toEqual(expected);
    expect(await naan("88888")).toMatchObject({
      holdReason: reason,
      authoritative: false,
      redirect: "https://delegate.example.org",
    });
    for (const who of ["foreign", "naan", "org-a"]) {
      for (const path of ["hold", "hold/release"]) {
        const until = path === "hold" ? { until: UNTIL, reason } : {};
        const answer = await world.send(who, "PUT", path, { naan: "88888", ...until });
        expect(`${who} ${answer.status} ${answer.body.code}`).toBe(`${who} 403 SVC-1302`);
      }
    }
    expect((await world.send("system", "PUT", "hold/release", { naan: "88888" })).body).toMatchObject({ until: null });
    expect(await naan("88888")).toMatchObject({ holdUntil: null, holdReason: null });
    const unknown = await hold("system", { naan: "77777" });
    expect(unknown.body).toMatchObject({
      code: "SVC-1308",
      detail: { naan: "77777", hint: expect.stringContaining("register it first") },
    });
    expect((await hold("naan", { naan: "99999" }, "2020-01-01T00:00:00Z")).body.code).toBe("SVC-1020");
  });

  test("A28 no such shoulder is 1008, one under several NAANs is 1009 until its NAAN is named", async () => {
    await world.store.transact(async (tx) => {
      await tx.saveNaan(aNaan({ naan: "77777" }));
      await tx.saveShoulder(aShoulder({ naan: "77777", shoulder: "b1", organisationId: world.seeded.orgB }));
    });
    expect((await hold("naan", { shoulder: "zz9" })).body).toMatchObject({ code: "SVC-1008" });
    expect((await hold("system", { shoulder: "zz9" })).body).toMatchObject({ code: "SVC-1008" });
    const several = await hold("system", { shoulder: "b1" });
    expect(several.status).toBe(400);
    expect(several.body).toMatchObject({ code: "SVC-1009", detail: { naans: ["77777", "99999"] } });
    expect((await hold("system", { shoulder: "77777/b1" })).body).toMatchObject({ naan: "77777", shoulder: "b1" });
    expect((await hold("naan", { shoulder: "b1" })).body).toMatchObject({ naan: "99999" });
  });
});
