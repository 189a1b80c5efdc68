// The words of files in a repository that runs (R35): deposited over SWORD, read by the process that the repository
// starts, looked after by `arkstone full-text`.
import { afterAll, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { readConfig } from "../../src/config.ts";
import { openRepositoryWriter } from "../../src/main/repository/runtime.ts";
import { arkstone } from "../support/command-line.ts";
import { eventually } from "../support/eventually.ts";
import { depositOf, firstSetup, smallCrate } from "../support/first-repository.ts";
import { freePort, startRole, temporaryFolder } from "../support/processes.ts";
import { docx, japanesePdf, lockedPdf } from "../support/text-files.ts";

const folder = temporaryFolder("full-text");
const env = { SVC_DATA_DIR: folder.path, SVC_LOG_LEVEL: "warn" };
const run = (...args: string[]) => arkstone(env, args);
afterAll(() => folder.remove());

type Status = { readonly waiting: number; readonly states: Readonly<Record<string, number>> };
const status = async (): Promise<Status> => JSON.parse((await run("full-text", "status", "--json")).out);

test("R35 R8 what is deposited is read in its own process; status, list and retry tell and mend; SIGTERM ends all", async () => {
  const token = await firstSetup(env);
  const repository = await startRole("repository", env, await freePort());
  const payload = [
    { path: "paper.pdf", bytes: japanesePdf(["図書館の目", "録を調べる"], "Research data") },
    { path: "notes.docx", bytes: await docx("<w:p><w:t>Notes of the meeting</w:t></w:p>") },
    { path: "locked.pdf", bytes: lockedPdf() },
  ];
  const deposited = await fetch(`${repository.base}/sword/service-document`, {
    method: "POST",
    ...depositOf(token, smallCrate(payload)),
  });
  await deposited.body?.cancel();
  expect(deposited.status).toBe(201);
  await eventually("the files were read", async () => (await status()).waiting === 0, { everyMs: 200 });
  expect((await status()).states).toMatchObject({ done: 2, encrypted: 1, unreadable: 0 });

  const store = await openRepositoryWriter(readConfig(env), {});
  const files = await store.items.filesAfter("", 10);
  const texts = await store.fullText.fileTexts(
    files.map(({ sha256 }) => sha256),
    1_000,
  );
  expect([...texts.values()].toSorted()).toEqual(["Notes of the meeting", "図書館の目録を調べる\nResearch data"]);
  const [job] = await store.jobs.listJobs({ kind: "full_text" }, null, 1);
  expect([job?.state, job?.progress]).toEqual([
    "done",
    "Not read: locked.pdf: encrypted (It opens with a password only)",
  ]);

  const hits = async (query: string): Promise<number> =>
    (await (await fetch(`${repository.base}/api/v1/records?${query}`)).json()).total_results;
  await eventually("the item is found by a word of its PDF", async () => (await hits("search_type=0&q=目録")) === 1);
  expect([await hits("search_type=0&q=meeting"), await hits("search_type=1&q=目録")]).toEqual([1, 0]);

  const listed = await run("full-text", "list");
  expect(listed.out).toContain("locked.pdf");
  expect(listed.out).toContain("It opens with a password only");
  const figures = await (await fetch(`${repository.base}/metrics`)).text();
  expect(figures).toMatch(/^arkstone_full_text_read_total\{state="done"\} 2$/m);
  expect(figures).toMatch(/^arkstone_full_text_files\{state="encrypted"\} \d$/m);

  expect((await run("full-text", "retry", "--state", "sunny")).code).toBe(2);
  expect((await run("full-text", "retry")).out).toContain("0 files will be read again");
  expect((await run("full-text", "retry", "--state", "encrypted")).out).toContain("1 file will be read again");
  const [{ at: before } = { at: "" }] = await store.fullText.listTexts(["encrypted"], "", 1);
  await eventually("it was read again", async () => {
    const [mark] = await store.fullText.listTexts(["encrypted"], "", 1);
    return mark !== undefined && mark.at > before && mark.reader > 0;
  });
  await store.close();
  expect(await repository.kill("SIGTERM")).toBe(0);
}, 120_000);

test("R35 no backup holds the texts: they are read again", async () => {
  const file = join(folder.path, "backup.gz");
  expect((await run("backup", file)).code).toBe(0);
  const rows = gunzipSync(readFileSync(file)).toString();
  expect([rows.includes("notes.docx"), rows.includes("Notes of the meeting")]).toEqual([true, false]);
});

test("R35 switched off, nothing is read again, and status reports it", async () => {
  const off = { ...env, SVC_FULL_TEXT: "0" };
  expect((await arkstone(off, ["full-text", "status"])).out).toContain("SVC_FULL_TEXT is off");
  expect((await arkstone(off, ["full-text", "retry"])).code).toBe(1);
});
