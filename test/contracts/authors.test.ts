// Promises of the author database that the database keeps, on both (R20 to R23): numbers assigned once, links made and
// changes carried in whole transactions.

import { describe, expect, test } from "bun:test";
import { jobRunner } from "../../src/jobs/runner.ts";
import { authorJobs } from "../../src/repository/authors/propagation.ts";
import { addMilliseconds } from "../../src/shared/time/instant.ts";
import { onEachDatabase } from "../support/databases.ts";
import { quietLog } from "../support/quiet-log.ts";
import { anAgent, idsIn, localOf, type ShownAuthor } from "../support/world/authors.ts";
import { setUpWorld } from "../support/world.ts";

const name = (familyName: string, firstName = "Ada", language = "en") => ({ language, familyName, firstName });
const orcid = (value: string) => ({ scheme: "ORCID", value });

describe("authors", () => {
  onEachDatabase((database) => {
    const world = setUpWorld({ repository: true, authors: true, database });
    const run = () => world.runner().runDue();
    const linksOf = async (id: number) => (await world.creatorsOf(id)).map(({ authorId }) => authorId);
    const revisionOf = async (id: number) => (await world.item(id)).revision;

    test("R21 S2.A16 200 authors that are created at once get 200 numbers of the scheme LOCAL", async () => {
      const made = await Promise.all(
        Array.from({ length: 200 }, (_, at) => world.author({ authorNameInfo: [name("Crowd", `Number ${at}`)] })),
      );
      expect(new Set(made.map(localOf)).size).toBe(200);
      expect(new Set(made.map(({ id }) => id)).size).toBe(200);
      expect(made.every((author) => /^[1-9]\d*$/.test(localOf(author)))).toBe(true);
    });

    test("S2.A17 S2.A31 of many who create at once each receives their own answer, and what is refused costs no number", async () => {
      const before = await world.author({ authorNameInfo: [name("Before")] });
      const answers = await Promise.all(
        Array.from({ length: 40 }, (_, at) =>
          at % 2 === 0
            ? world.create({ authorNameInfo: [name("Among", `Number ${at}`)] })
            : world.create({ authorNameInfo: [name("Refused")] }, at % 4 === 1 ? "manager" : "registered"),
        ),
      );
      expect(answers.map(({ status }) => status)).toEqual(answers.map((_, at) => [200, 400, 200, 403][at % 4] ?? 0));
      const numbers = answers.flatMap(({ status, json }) =>
        status === 200 ? Number(localOf(json.author as ShownAuthor)) : [],
      );
      expect(numbers.sort((a, b) => a - b)).toEqual(numbers.map((_, at) => Number(localOf(before)) + 1 + at));
      expect(idsIn(await world.search({ familyname: "refused" }))).toEqual([]);
      expect(idsIn(await world.search({ familyname: "among" })).length).toBe(20);
    });

    test("R21 S2.A16 a number that was ever assigned is never another author's, a deleted one's neither", async () => {
      const gone = await world.author({ authorNameInfo: [name("Gone")] });
      const left = await world.author({ authorNameInfo: [name("Left")] });
      expect((await world.removeAuthor(gone.id)).status).toBe(200);
      expect((await world.removeAuthor(left.id)).status).toBe(200);
      const next = await world.author({ authorNameInfo: [name("Next")] });
      expect(Number(localOf(next))).toBe(Number(localOf(left)) + 1);
      const stolen = await world.update(next.id, { authorIdInfo: [{ idType: "LOCAL", authorId: localOf(gone) }] });
      expect([stolen.status, stolen.json.message]).toEqual([
        400,
        `The authorId ${localOf(gone)} of the scheme LOCAL is another author's`,
      ]);
      expect(idsIn(await world.search({ idtype: "LOCAL", authorid: localOf(next) }))).toEqual([next.id]);
    });

    test("S2.A21 R23 an agent is linked by a LOCAL number, by an identifier that is one author's, by the link it carries", async () => {
      const author = await world.author({
        authorIdInfo: [{ idType: "ORCID", authorId: "0000-0002-1825-0097" }],
        authorNameInfo: [name("Linked")],
      });
      const other = await world.author({ authorNameInfo: [name("Other")] });
      const agents = [
        anAgent({ ids: [{ scheme: "LOCAL", value: localOf(author) }] }),
        anAgent({ ids: [orcid("https://orcid.org/0000-0002-1825-0097")] }),
        anAgent({ ids: [{ scheme: "orcid", value: "", uri: "https://orcid.org/0000-0002-1825-0097" }] }),
        anAgent({ authorId: other.id }),
        // What it carries is more than what identifiers state.
        anAgent({ authorId: other.id, ids: [orcid("0000-0002-1825-0097")] }),
        // Nobody.
        anAgent({ ids: [{ scheme: "LOCAL", value: "999999" }] }),
        anAgent({ ids: [orcid("0000-0001-5109-3700")] }),
        anAgent({ authorId: 999_999 }),
        anAgent(),
      ];
      const { id } = await world.publish(...agents);
      const linked = [author.id, author.id, author.id, other.id, other.id];
      expect(await linksOf(id)).toEqual([...linked, undefined, undefined, undefined, undefined]);
      expect(await world.store.authors.itemsOfAuthor(author.id, 0, 10)).toEqual([id]);
      expect(await world.store.authors.itemsOfAuthor(other.id, 0, 10)).toEqual([id]);
      expect(await revisionOf(id)).toBe(1);
    });

    test("S2.A21 R23 contributors are linked and follow their authors as creators do, each of several in the place it has", async () => {
      const [one, two] = [
        await world.author({ emailInfo: [{ email: "one@example.org" }], authorNameInfo: [name("One")] }),
        await world.author({ emailInfo: [{ email: "two@example.org" }], authorNameInfo: [name("Two")] }),
      ];
      const of = (author: ShownAuthor, role?: string) =>
        anAgent({ ids: [{ scheme: "LOCAL", value: localOf(author) }], ...(role === undefined ? {} : { role }) });
      const nobody = anAgent({ emails: ["nobody@example.org"], role: "Editor" });
      const both = await world.publishWith({
        creators: [of(one), anAgent()],
        contributors: [nobody, of(two, "Editor"), of(one, "Sponsor")],
      });
      const helped = await world.publishWith({ creators: [anAgent()], contributors: [of(two, "DataCurator")] });
      const agentsOf = async (id: number, list: "creators" | "contributors") =>
        ((await world.item(id)).content?.metadata[list] ?? []).map(({ authorId, emails, role }) => [
          authorId,
          emails,
          role,
        ]);
      expect(await agentsOf(both.id, "creators")).toEqual([
        [one.id, [], undefined],
        [undefined, [], undefined],
      ]);
      expect(await agentsOf(both.id, "contributors")).toEqual([
        [undefined, ["nobody@example.org"], "Editor"],
        [two.id, [], "Editor"],
        [one.id, [], "Sponsor"],
      ]);
      expect(await world.store.authors.itemsOfAuthor(one.id, 0, 10)).toEqual([both.id]);
      expect(await world.store.authors.itemsOfAuthor(two.id, 0, 10)).toEqual([both.id, helped.id]);
      await world.change(two, { emailInfo: [{ email: "a@example.org" }, { email: "b@example.org" }] });
      await run();
      const emails = ["a@example.org", "b@example.org"];
      expect(await agentsOf(both.id, "creators")).toEqual([
        [one.id, [], undefined],
        [undefined, [], undefined],
      ]);
      expect(await agentsOf(both.id, "contributors")).toEqual([
        [undefined, ["nobody@example.org"], "Editor"],
        [two.id, emails, "Editor"],
        [one.id, [], "Sponsor"],
      ]);
      expect(await agentsOf(helped.id, "contributors")).toEqual([[two.id, emails, "DataCurator"]]);
      await world.change(one, { emailInfo: [{ email: "c@example.org" }] });
      await run();
      expect((await agentsOf(both.id, "creators"))[0]).toEqual([one.id, ["c@example.org"], undefined]);
      expect((await agentsOf(both.id, "contributors"))[2]).toEqual([one.id, ["c@example.org"], "Sponsor"]);
      expect(await Promise.all([both.id, helped.id].map(revisionOf))).toEqual([3, 2]);
      // A revision that names neither ends the links of both.
      const left = await world.publishWith({ creators: [of(one), of(two)], contributors: [of(two, "Editor")] });
      const linkedTo = async (author: ShownAuthor) =>
        (await world.store.authors.itemsOfAuthor(author.id, 0, 10)).includes(left.id);
      expect([await linkedTo(one), await linkedTo(two)]).toEqual([true, true]);
      const { content } = left;
      if (content === null) throw new Error("It was published");
      const metadata = { ...content.metadata, creators: [anAgent()], contributors: [] };
      await world.items.revise(world.admin, left.id, { content: { ...content, metadata } });
      expect([await linkedTo(one), await linkedTo(two)]).toEqual([false, false]);
      // With the author the link ends, and the words stay.
      expect((await world.removeAuthor(two.id)).status).toBe(200);
      await run();
      expect((await agentsOf(both.id, "contributors"))[1]).toEqual([undefined, emails, "Editor"]);
      expect(await agentsOf(helped.id, "contributors")).toEqual([[undefined, emails, "DataCurator"]]);
    });

    test("S2.A21 R23 what is dropped from the author is dropped from items: affiliations, identifiers, addresses, each and all", async () => {
      const affiliation = (title: string, ror: string, more: object = {}) => ({
        identifierInfo: [{ affiliationIdType: "ROR", affiliationId: ror }],
        affiliationNameInfo: [{ affiliationName: title, affiliationNameLang: "en", ...more }],
      });
      const shown = (title: string, ror: string) => ({
        names: [{ value: title, lang: "en" }],
        ids: [{ scheme: "ROR", value: ror, uri: `https://ror.org/${ror}` }],
      });
      const before = await world.author({
        emailInfo: [{ email: "a@example.org" }, { email: "b@example.org" }],
        authorIdInfo: [
          { idType: "ORCID", authorId: "0000-0003-1415-9269" },
          { idType: "VIAF", authorId: "77" },
        ],
        authorNameInfo: [name("Moved")],
        affiliationInfo: [affiliation("First", "057zh3y96"), affiliation("Second", "04ksd4g47")],
      });
      const local = { scheme: "LOCAL", value: localOf(before) };
      const agent = anAgent({
        ids: [local, orcid("0000-0003-1415-9269"), { scheme: "NRID", value: "5" }],
        emails: ["a@example.org", "own@example.org"],
        affiliations: [{ names: [{ value: "An own one" }], ids: [] }],
      });
      const items = [await world.publish(agent, anAgent()), await world.publishWith({ contributors: [agent] })];
      const now = async () => {
        await run();
        const agents = await Promise.all(
          items.map(async ({ id }) => {
            const { creators = [], contributors = [] } = (await world.item(id)).content?.metadata ?? {};
            return [...contributors, ...creators][0];
          }),
        );
        const [one, other] = agents.map((each) => ({
          affiliations: each?.affiliations,
          ids: each?.ids.map(({ scheme }) => scheme),
          emails: each?.emails,
        }));
        expect(one).toEqual(other);
        return one;
      };
      const ids = before.authorIdInfo;
      await world.change(before, { affiliationInfo: before.affiliationInfo.toReversed() });
      expect(await now()).toEqual({
        affiliations: [shown("Second", "04ksd4g47"), shown("First", "057zh3y96")],
        ids: expect.arrayContaining(["LOCAL", "ORCID", "VIAF", "NRID"]),
        emails: ["a@example.org", "b@example.org"],
      });
      const one = await world.change(before, { affiliationInfo: [affiliation("Second", "04ksd4g47")] });
      expect((await now())?.affiliations).toEqual([shown("Second", "04ksd4g47")]);
      await world.change(one, {
        affiliationInfo: [],
        emailInfo: [],
        authorIdInfo: ids.filter(({ idType }) => idType === "LOCAL"),
      });
      expect(await now()).toEqual({ affiliations: [], ids: ["LOCAL", "NRID"], emails: [] });
      // A name that is hidden is not shown; its identifier is.
      await world.change(one, {
        affiliationInfo: [affiliation("Hidden", "057zh3y96", { affiliationNameShowFlg: false })],
      });
      expect((await now())?.affiliations).toEqual([
        { names: [], ids: [{ scheme: "ROR", value: "057zh3y96", uri: "https://ror.org/057zh3y96" }] },
      ]);
    });

    test("R21a S2.A21 an ORCID that two authors have links nobody", async () => {
      const twin = {
        authorIdInfo: [{ idType: "ORCID", authorId: "0000-0002-1694-233X" }],
        authorNameInfo: [name("Twin")],
      };
      const [one, two] = [await world.author(twin), await world.author(twin)];
      const { id } = await world.publish(anAgent({ ids: [orcid("0000-0002-1694-233X")] }));
      expect(await linksOf(id)).toEqual([undefined]);
      expect(idsIn(await world.search({ idtype: "ORCID", authorid: "0000-0002-1694-233x" }))).toEqual([one.id, two.id]);
    });

    test("R23 S2.A21 an update is carried to the items: everything but names always, names with force_change, one revision each", async () => {
      const before = await world.author({
        emailInfo: [{ email: "old@example.org" }],
        authorIdInfo: [{ idType: "ORCID", authorId: "0000-0001-5109-3700" }],
        authorNameInfo: [name("Before")],
      });
      const local = { scheme: "LOCAL", value: localOf(before) };
      const researcher = { scheme: "NRID", value: "1000" };
      const agent = anAgent({ ids: [local, orcid("0000-0001-5109-3700"), researcher], emails: ["old@example.org"] });
      const [first, second] = [await world.publish(agent), await world.publish(anAgent(), agent)];
      const tokyo = {
        identifierInfo: [{ affiliationIdType: "ROR", affiliationId: "057zh3y96" }],
        affiliationNameInfo: [{ affiliationName: "The University of Tokyo", affiliationNameLang: "en" }],
      };
      const after = {
        emailInfo: [{ email: "new@example.org" }],
        authorIdInfo: [
          { idType: "LOCAL", authorId: localOf(before) },
          { idType: "ISNI", authorId: "0000 0001 2150 090X" },
          { idType: "VIAF", authorId: "12345", authorIdShowFlg: false },
        ],
        authorNameInfo: [name("After", "Bea"), { ...name("Hidden"), nameShowFlg: false }],
        affiliationInfo: [tokyo],
      };
      const changed = await world.change(before, after);
      expect(await run()).toBeGreaterThan(0);
      const number = "0000 0001 2150 090X";
      const isni = { scheme: "ISNI", value: number, uri: `http://www.isni.org/isni/${encodeURI(number)}` };
      const ror = { scheme: "ROR", value: "057zh3y96", uri: "https://ror.org/057zh3y96" };
      const answer = {
        names: [{ family: "Doe", given: "Ada" }],
        ids: [local, isni, researcher],
        emails: ["new@example.org"],
        affiliations: [{ names: [{ value: "The University of Tokyo", lang: "en" }], ids: [ror] }],
        authorId: before.id,
      };
      expect(await world.creatorsOf(first.id)).toMatchObject([answer]);
      expect(await world.creatorsOf(second.id)).toEqual([anAgent(), { ...anAgent(), ...answer }]);
      expect(await Promise.all([first.id, second.id].map(revisionOf))).toEqual([2, 2]);
      await world.change(changed, after, true);
      await run();
      const names = [{ full: "After, Bea", family: "After", given: "Bea", lang: "en" }];
      expect(await world.creatorsOf(first.id)).toMatchObject([{ ...answer, names }]);
      expect(await Promise.all([first.id, second.id].map(revisionOf))).toEqual([3, 3]);
      // Nothing new makes no revision.
      await world.change(changed, after, true);
      await run();
      expect(await Promise.all([first.id, second.id].map(revisionOf))).toEqual([3, 3]);
      expect(await world.store.authors.propagation(before.id)).toBeNull();
    });

    test("R23 where the record is empty the item keeps its words, but for what the record no longer has", async () => {
      const before = await world.author({ emailInfo: [{ email: "a@example.org" }], authorNameInfo: [name("Silent")] });
      const affiliations = [{ names: [{ value: "An academy" }], ids: [] }];
      const ids = [{ scheme: "LOCAL", value: localOf(before) }, orcid("0000-0001-5109-3700")];
      const agent = anAgent({ ids, affiliations, emails: ["a@example.org", "b@example.org"] });
      const { id } = await world.publish(agent);
      await world.change(before, { emailInfo: [] }, true);
      await run();
      expect(await world.creatorsOf(id)).toMatchObject([{ ids, affiliations, emails: ["b@example.org"] }]);
    });

    test("R23 R19 an item that is being edited is tried again, and has the change in the end", async () => {
      const before = await world.author({ authorNameInfo: [name("Patient")] });
      const ids = [{ scheme: "LOCAL", value: localOf(before) }];
      const [locked, drafted, free] = [
        await world.publish(anAgent({ ids })),
        await world.publish(anAgent({ ids })),
        await world.publish(anAgent({ ids })),
      ];
      const word = await world.items.takeLock(locked.id, "edit", 3_600_000);
      const content = drafted.content;
      if (content === null) throw new Error("Nothing was published");
      await world.items.saveDraft(world.admin, drafted.id, { content });
      const changed = await world.change(before, { emailInfo: [{ email: "p@example.org" }] });
      await run();
      const emailsOf = async (id: number) => (await world.creatorsOf(id))[0]?.emails;
      const expected = [[], [], ["p@example.org"]];
      expect(await Promise.all([locked, drafted, free].map(({ id }) => emailsOf(id)))).toEqual(expected);
      const [job] = await world.store.jobs.listJobs({ subject: String(before.id) }, null, 1);
      expect(job).toMatchObject({
        kind: "author_propagation",
        state: "waiting",
        lastError: "2 items cannot be changed now; they are tried again",
        progress: "3 of 3 items",
      });
      await world.items.releaseLock(locked.id, word);
      // Its draft is published with the old words, and follows all the same.
      await world.items.publishDraft(world.admin, drafted.id);
      world.time.now = addMilliseconds(world.time.now, 3_600_000);
      await run();
      expect(await Promise.all([locked, drafted, free].map(({ id }) => emailsOf(id)))).toEqual([
        ["p@example.org"],
        ["p@example.org"],
        ["p@example.org"],
      ]);
      expect(await Promise.all([locked, drafted, free].map(({ id }) => revisionOf(id)))).toEqual([2, 3, 2]);
      expect((await world.store.jobs.job(job?.id ?? 0))?.state).toBe("done");
      expect(changed.id).toBe(before.id);
    });

    test("R23 R8 a change that goes to many items lets other jobs come between, and goes on where it was", async () => {
      const before = await world.author({ authorNameInfo: [name("Many")] });
      const items = [];
      for (let at = 0; at < 5; at += 1) items.push((await world.publish(anAgent({ authorId: before.id }))).id);
      await world.change(before, { emailInfo: [{ email: "t@example.org" }] });
      const { store } = world;
      await store.transact((tx) => tx.jobs.enqueue({ kind: "another", subject: "" }, world.time.now));
      const order: string[] = [];
      const passed: Iterator<number> = Array.from({ length: 10_000 }, (_, ms) => ms).values();
      const clock = { now: () => addMilliseconds(world.time.now, Number(passed.next().value)) };
      const kinds = {
        ...authorJobs({ store, clock, items: world.items.core, batchSize: 2 }),
        another: {
          maxAttempts: null,
          run: async () => void order.push(`another behind ${(await store.authors.propagation(before.id))?.done}`),
        },
      };
      const runner = jobRunner({ store, kinds, clock, log: quietLog, owner: "turns", parallel: 1 });
      expect(await runner.runDue()).toBe(4);
      expect(order).toEqual(["another behind 2"]);
      const emails = await Promise.all(items.map(async (id) => (await world.creatorsOf(id))[0]?.emails));
      expect(emails).toEqual(items.map(() => ["t@example.org"]));
      expect(await Promise.all(items.map(revisionOf))).toEqual([2, 2, 2, 2, 2]);
      const [job] = await store.jobs.listJobs({ subject: String(before.id) }, null, 1);
      expect(job).toMatchObject({ state: "done", progress: "5 of 5 items" });
    });

    // After the claim, each of five items, the word about how far it is; what comes behind the end is not meanwhile.
    test.each([1, 2, 4, 6, 7])(
      "R23 what is deposited behind transaction %d of a pending change has it in the end, whichever number it has",
      async (moment) => {
        const before = await world.author({ authorNameInfo: [name("Meanwhile")] });
        const ids = [{ scheme: "LOCAL", value: localOf(before) }];
        const early = await world.publish(anAgent());
        const items = [];
        for (let at = 0; at < 5; at += 1) items.push((await world.publish(anAgent({ ids }))).id);
        await world.change(before, { emailInfo: [{ email: "m@example.org" }] });
        const { store } = world;
        let [written, latest] = [0, 0];
        const disturbed: typeof store = {
          ...store,
          async transact(work) {
            const result = await store.transact(work);
            written += 1;
            if (written !== moment) return result;
            // Somebody names the author in an item that the change has passed by, and deposits another one.
            const { content } = early;
            if (content === null) throw new Error("Nothing was published");
            const metadata = { ...content.metadata, creators: [anAgent({ ids })] };
            await world.items.revise(world.admin, early.id, { content: { ...content, metadata } });
            latest = (await world.publish(anAgent({ ids }))).id;
            return result;
          },
        };
        await world.runner(disturbed).runDue();
        await run();
        const all = [early.id, ...items, latest];
        const emails = await Promise.all(all.map(async (id) => (await world.creatorsOf(id))[0]?.emails));
        expect(emails).toEqual(all.map(() => ["m@example.org"]));
        expect(await Promise.all(all.map(revisionOf))).toEqual([3, 2, 2, 2, 2, 2, 2]);
        expect(await store.authors.propagation(before.id)).toBeNull();
      },
    );

    test("R22 S2.A9 S2.A23 deleting an author leaves the words of the items and takes the link away", async () => {
      const author: ShownAuthor = await world.author({ authorNameInfo: [name("Deleted")] });
      const ids = [{ scheme: "LOCAL", value: localOf(author) }];
      const { id } = await world.publish(anAgent({ ids }));
      expect(await linksOf(id)).toEqual([author.id]);
      expect((await world.removeAuthor(author.uuid)).status).toBe(200);
      await run();
      expect(await world.creatorsOf(id)).toEqual([anAgent({ ids })]);
      expect(await world.store.authors.itemsOfAuthor(author.id, 0, 10)).toEqual([]);
      expect(await revisionOf(id)).toBe(2);
      // The row is there, and nobody gets its numbers.
      const expected = { uuid: author.uuid, deletedAt: expect.any(String) };
      expect(await world.store.authors.author(author.id)).toMatchObject(expected);
      const { id: again } = await world.publish(anAgent({ ids }));
      expect(await linksOf(again)).toEqual([undefined]);
    });
  });
});
