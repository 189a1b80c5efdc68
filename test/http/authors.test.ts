// The author database over HTTP (specification 2, "Author resource", "Author database endpoints"; R9, R20 to R22).
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type RepositoryWorld, repositoryWorld, type Who } from "../support/repository-world.ts";

let world: RepositoryWorld;
beforeAll(async () => {
  world = await repositoryWorld();
});
afterAll(() => world.close());

const PATH = "/api/v1/authors";
const json = (value: unknown) => ({ headers: { "content-type": "application/json" }, body: JSON.stringify(value) });
const post = (author: unknown, who: Who = "admin") => world.ask(who, "POST", PATH, json({ author }));
const put = (id: unknown, body: unknown, who: Who = "admin") => world.ask(who, "PUT", `${PATH}/${id}`, json(body));
const remove = (id: unknown, who: Who = "admin") => world.ask(who, "DELETE", `${PATH}/${id}`);
async function search(asked: Readonly<Record<string, string>>, who: Who = "admin") {
  return await world.ask(who, "GET", `${PATH}?${new URLSearchParams(asked)}`);
}
type Shown = { readonly id: number; readonly uuid: string; readonly authorIdInfo: readonly { authorId: string }[] };
const made = async (author: unknown, who: Who = "admin"): Promise<Shown> => {
  const { status, text, json: body } = await post(author, who);
  if (status !== 200) throw new Error(text);
  return body.author as Shown;
};
const idsOf = (answer: { readonly json: Readonly<Record<string, unknown>> }) =>
  (answer.json.authors as readonly Shown[]).map(({ id }) => id);

const TARO = {
  emailInfo: [{ email: "taro@example.org" }],
  authorIdInfo: [{ idType: "ORCID", authorId: "0000-0002-1825-0097", authorIdShowFlg: true }],
  authorNameInfo: [
    { language: "ja", firstName: "太郎", familyName: "情報", nameFormat: "familyNmAndNm", nameShowFlg: true },
    { language: "en", firstName: "Taro", familyName: "Joho", nameFormat: "familyNmAndNm", nameShowFlg: false },
  ],
  affiliationInfo: [
    {
      identifierInfo: [{ affiliationIdType: "ROR", affiliationId: "03dsbfb14", identifierShowFlg: true }],
      affiliationNameInfo: [{ affiliationName: "NII", affiliationNameLang: "en", affiliationNameShowFlg: true }],
      affiliationPeriodInfo: [{ periodStart: "2020-04-01", periodEnd: "2025-03-31" }],
    },
  ],
  communityIds: [],
};

describe("S2.A1 POST /api/{version}/authors", () => {
  test("R20 what is sent is echoed with id and uuid, and found again as it was stored", async () => {
    const { status, json: body } = await post(TARO);
    expect(status).toBe(200);
    expect(body.message).toBe("Author successfully registered.");
    const author = body.author as Shown;
    expect(author).toMatchObject({ ...TARO, id: expect.any(Number), uuid: expect.any(String), authorIdInfo: [{}, {}] });
    const found = await search({ idtype: "ORCID", authorid: "0000-0002-1825-0097" });
    expect(found.json).toEqual({ authors: [author] });
    expect(idsOf(await search({ fullname: "taro joho" }))).toEqual([author.id]);
    expect(idsOf(await search({ fullname: "情報太郎" }))).toEqual([author.id]);
  });

  test("R22 a deleted author is found no more, and its id answers 404", async () => {
    const { id, uuid, authorIdInfo } = await made({ authorNameInfo: [{ language: "en", familyName: "Gone" }] });
    const changed = await put(uuid, {
      author: { authorIdInfo, authorNameInfo: [{ language: "en", familyName: "Went" }] },
    });
    expect([changed.status, changed.json.message]).toEqual([200, "Author successfully updated."]);
    expect(idsOf(await search({ familyname: "gone" }))).toEqual([]);
    expect(idsOf(await search({ familyname: "WENT" }))).toEqual([id]);
    const gone = await remove(id);
    expect([gone.status, gone.json]).toEqual([200, { message: "Author successfully deleted." }]);
    expect((await remove(uuid)).status).toBe(404);
    expect(idsOf(await search({ familyname: "went" }))).toEqual([]);
  });
});
