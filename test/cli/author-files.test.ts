// `arkstone author`: authors out of files and into them, likely pairs, merging (R6a, R20 to R22), on both databases.
import { afterAll, describe, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { arkstone } from "../support/command-line.ts";
import { startPostgres } from "../support/postgres.ts";
import { temporaryFolder } from "../support/processes.ts";

const folder = temporaryFolder("author-files");
const found = await startPostgres();
afterAll(async () => {
  await found?.stop();
  folder.remove();
});

let files = 0;
function file(name: string, text: string): string {
  files += 1;
  const path = join(folder.path, `${files}-${name}`);
  writeFileSync(path, text);
  return path;
}

const ORCID_RECORD = {
  "orcid-identifier": { path: "0000-0002-1825-0097", uri: "https://orcid.org/0000-0002-1825-0097" },
  person: {
    name: { "given-names": { value: "Josiah" }, "family-name": { value: "Carberry" } },
    emails: { email: [] },
    "external-identifiers": { "external-identifier": [{ "external-id-type": "Unheard-of", "external-id-value": "1" }] },
  },
  "activities-summary": {
    employments: {
      "affiliation-group": [
        {
          summaries: [
            {
              "employment-summary": {
                organization: {
                  name: "Brown University",
                  "disambiguated-organization": {
                    "disambiguation-source": "ROR",
                    "disambiguated-organization-identifier": "https://ror.org/05gq02987",
                  },
                },
                "start-date": { year: { value: "1929" }, month: null, day: null },
                "end-date": null,
              },
            },
          ],
        },
      ],
    },
  },
};

function contract(name: string, database: () => Promise<Readonly<Record<string, string>>>): void {
  describe(name, () => {
    const CSV = [
      "LOCAL,family_name,given_name,language,family_name2,language2,email,ORCID,affiliation,affiliation_language,affiliation_from,affiliation_ROR",
      "7001,情報,太郎,ja,Joho,en,taro@example.org,0000-0002-1825-0097,NII,en,2001-04-01,04ksd4g47",
      ',"O\'Neil, Jr.",Ann,en,,,,,,,,',
      "",
    ].join("\n");

    test("R6a a table is checked, imported once however often it is sent, and exported as it came in", async () => {
      const env = await database();
      const run = (...args: string[]) => arkstone(env, ["author", ...args]);
      const csv = file("a.csv", CSV);
      expect((await run("import", csv, "--dry-run")).out).toBe("2 authors would be imported.\n");
      expect((await run("export")).out).toBe("");
      expect(await run("import", csv)).toMatchObject({ code: 0, out: "2 authors imported.\n" });
      expect((await run("import", csv)).out).toBe("0 authors imported.\n");
      const written = (await run("export")).out;
      const [first, second] = written
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line));
      expect(first).toMatchObject({
        emailInfo: [{ email: "taro@example.org" }],
        authorIdInfo: [
          { idType: "LOCAL", authorId: "7001" },
          { idType: "ORCID", authorId: "0000-0002-1825-0097" },
        ],
        authorNameInfo: [{ familyName: "情報" }, { familyName: "Joho", language: "en" }],
        affiliationInfo: [{ affiliationPeriodInfo: [{ periodStart: "2001-04-01" }] }],
      });
      expect(second.authorIdInfo).toEqual([{ idType: "LOCAL", authorId: "7002", authorIdShowFlg: true }]);

      const other = await database();
      const copy = (...args: string[]) => arkstone(other, ["author", ...args]);
      expect((await copy("import", file("b.ndjson", written))).code).toBe(0);
      const plain = (text: string) => text.replaceAll(/"id":\d+,"uuid":"[^"]+"/g, "");
      expect(plain((await copy("export")).out)).toBe(plain(written));
      const third = await database();
      const table = file("c.csv", (await run("export", "--csv")).out);
      expect((await arkstone(third, ["author", "import", table])).code).toBe(0);
      expect(plain((await arkstone(third, ["author", "export"])).out)).toBe(plain(written));
    });

    test("R6a R22 bad rows are reported with their lines and stop before their batch, or are left out", async () => {
      const env = await database();
      const run = (...args: string[]) => arkstone(env, ["author", ...args]);
      const bad = file(
        "bad.csv",
        "family_name,language,ORCID,LOCAL\nGood,en,,5\nWrong,en,0000-0002-1825-0098,\nTwice,en,,5\nLast,en,,\n",
      );
      const stopped = await run("import", bad);
      expect([stopped.code, stopped.err.includes("line 3: "), (await run("export")).out]).toEqual([1, true, ""]);
      const left = await run("import", bad, "--skip-bad");
      expect(left.err).toContain("line 4: The authorId 5 of the scheme LOCAL is another author's");
      expect(left).toMatchObject({ code: 0, out: "2 authors imported, 2 rows bad.\n" });
      expect((await run("import", file("odd.csv", "nonsense\n1\n"))).err).toContain("nonsense");
      expect((await run("import", file("odd.txt", "x"))).code).toBe(2);
      expect((await run("import", file("odd.ndjson", '{"a":1}\nnonsense\n[]\n'))).code).toBe(1);
      expect((await run("import", "/nowhere/at/all.csv")).code).not.toBe(0);
    });

    test("R6a a public record of ORCID becomes an author", async () => {
      const env = await database();
      const record = file("0000-0002-1825-0097.json", JSON.stringify(ORCID_RECORD));
      expect(await arkstone(env, ["author", "import", record])).toMatchObject({ code: 0, out: "1 author imported.\n" });
      expect(JSON.parse((await arkstone(env, ["author", "export"])).out)).toMatchObject({
        authorIdInfo: [{ idType: "LOCAL" }, { idType: "ORCID", authorId: "0000-0002-1825-0097" }],
        authorNameInfo: [{ language: "en", familyName: "Carberry", firstName: "Josiah" }],
        affiliationInfo: [
          {
            affiliationNameInfo: [{ affiliationName: "Brown University" }],
            identifierInfo: [{ affiliationIdType: "ROR" }],
            affiliationPeriodInfo: [{ periodStart: "1929-01-01" }],
          },
        ],
      });
      expect((await arkstone(env, ["author", "import", file("x.json", "{}")])).err).toContain("orcid-identifier");
    });

    test("R21a R6a pairs are listed, and one of two is made of them", async () => {
      const env = await database();
      const run = (...args: string[]) => arkstone(env, ["author", ...args]);
      await run(
        "import",
        file(
          "two.csv",
          "family_name,given_name,language,affiliation,affiliation_language\nSato,Ken,en,NII,en\nKEN,SATO,en,nii,en\n",
        ),
      );
      const pairs = await run("duplicates");
      expect(pairs.out).toMatch(/^1\tSato, Ken\t2\tKEN, SATO\tname and affiliation: /);
      expect((await run("merge", "2", "1")).out).toContain("Author 2 is author 1 (Sato, Ken) from now on");
      expect((await run("duplicates")).err).toContain("No pair");
      expect((await run("merge", "2", "1")).code).not.toBe(0);
      expect((await run("merge", "x", "1")).code).not.toBe(0);
    });
  });
}

let databases = 0;
contract("authors by command on SQLite", async () => {
  databases += 1;
  return { SVC_DATA_DIR: join(folder.path, `data-${databases}`), SVC_LOG_LEVEL: "warn" };
});
if (found === null) test.skip("R6a authors by command on PostgreSQL: not available", () => {});
else {
  contract("authors by command on PostgreSQL", async () => {
    databases += 1;
    const { url } = await found.createDatabase();
    return { SVC_DATA_DIR: join(folder.path, `data-${databases}`), SVC_DATABASE_URL: url, SVC_LOG_LEVEL: "warn" };
  });
}

test("R6a the guide to authors tells every command", () => {
  const guide = readFileSync(join(import.meta.dirname, "../../docs/authors.md"), "utf8");
  for (const name of ["merge", "duplicates", "import", "export"]) expect(guide).toContain(`arkstone author ${name}`);
});
