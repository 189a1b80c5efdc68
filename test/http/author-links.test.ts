// Agents of deposited items are linked to the author database, whichever way the deposit takes (R6a, R23; specification
// 2, Update).
import { beforeAll, describe, expect, test } from "bun:test";
import { cratePackage, tablePackage, xmlPackage } from "../support/deposit-requests.ts";
import { jpcoarOf } from "../support/package-builder.ts";
import { localOf, type ShownAuthor } from "../support/world/authors.ts";
import { recidOf } from "../support/world/repository.ts";
import { setUpWorld } from "../support/world.ts";

const ORCID = "0000-0002-1825-0097";

let author: ShownAuthor;
const world = setUpWorld({ repository: true, authors: true });
beforeAll(async () => {
  author = await world.author({
    authorIdInfo: [{ idType: "ORCID", authorId: ORCID }],
    authorNameInfo: [{ language: "en", firstName: "Ada", familyName: "Linked" }],
  });
});

const CREATOR = ".metadata.item_1617186419668[0]";
const tableWith = (scheme: string, value: string) =>
  tablePackage({
    [`${CREATOR}.creatorNames[0].creatorName`]: "Linked, Ada",
    [`${CREATOR}.nameIdentifiers[0].nameIdentifierScheme`]: scheme,
    [`${CREATOR}.nameIdentifiers[0].nameIdentifier`]: value,
  });
const linkedIn = async (id: number) => (await world.creatorsOf(id)).map(({ authorId }) => authorId);

describe("deposits", () => {
  test("S2.A21 R23 a table whose creator has a LOCAL number, and one whose creator has an ORCID", async () => {
    const byNumber = recidOf(await world.deposit("registered", tableWith("LOCAL", localOf(author))));
    const byOrcid = recidOf(await world.deposit("registered", tableWith("ORCID", `https://orcid.org/${ORCID}`)));
    expect([await linkedIn(byNumber), await linkedIn(byOrcid)]).toEqual([[author.id], [author.id]]);
    expect(await world.store.authors.itemsOfAuthor(author.id, 0, 10)).toEqual([byNumber, byOrcid]);
    // A replacement is linked by its content.
    expect((await world.replace("registered", byNumber, tableWith("LOCAL", "99999"))).status).toBe(200);
    expect(await linkedIn(byNumber)).toEqual([undefined]);
    expect(await world.store.authors.itemsOfAuthor(author.id, 0, 10)).toEqual([byOrcid]);
  });

  test("S2.A21 R23 a crate whose creator is named by an ORCID", async () => {
    const id = `https://orcid.org/${ORCID}`;
    const person = { "@id": id, "@type": "Person", name: "Ada Linked" };
    const recid = recidOf(
      await world.deposit("registered", cratePackage({ creator: { "@id": id } }, undefined, [person])),
    );
    expect(await linkedIn(recid)).toEqual([author.id]);
  });

  test("S2.A21 R23 R16 a deposit that waits for approval is linked when it is published, to the authors who exist then", async () => {
    const late = "0000-0001-5109-3700";
    const xml = jpcoarOf(undefined, "Approved");
    const creator = `<jpcoar:creator><jpcoar:nameIdentifier nameIdentifierScheme="ORCID">${late}</jpcoar:nameIdentifier><jpcoar:creatorName xml:lang="en">Late, L</jpcoar:creatorName></jpcoar:creator>`;
    const described = xml.replace("</dc:title>", `</dc:title>${creator}`);
    const slow = await world.token("registered", undefined, { registrationType: 2, workflow: await world.workflow() });
    const answer = await world.deposit(slow, xmlPackage(described));
    expect(answer.status).toBe(202);
    const made = await world.author({ authorIdInfo: [{ idType: "ORCID", authorId: late }] });
    const activity =
      String((answer.json.links as { readonly "@id": string }[])[0]?.["@id"])
        .split("/")
        .at(-1) ?? "";
    await world.activities.approve(await world.viewer("admin"), activity, { comment: "", index: null });
    expect(await linkedIn(recidOf(answer))).toEqual([made.id]);
  });

  test("R23 a new version keeps the link, and both versions follow the author", async () => {
    const recid = recidOf(await world.deposit("registered", tableWith("LOCAL", localOf(author))));
    const again = tablePackage({
      ".edit_mode": "Upgrade",
      [`${CREATOR}.creatorNames[0].creatorName`]: "Linked, Ada",
      [`${CREATOR}.nameIdentifiers[0].nameIdentifierScheme`]: "LOCAL",
      [`${CREATOR}.nameIdentifiers[0].nameIdentifier`]: localOf(author),
    });
    const next = recidOf(await world.replace("registered", recid, again));
    expect(next).not.toBe(recid);
    await world.change(author, { emailInfo: [{ email: "both@example.org" }] });
    await world.runner().runDue();
    const emails = await Promise.all([recid, next].map(async (id) => (await world.creatorsOf(id))[0]?.emails));
    expect(emails).toEqual([["both@example.org"], ["both@example.org"]]);
  });
});
