// `kill -9` of the process that sends mail, while a message is on its way: it is sent once, and what nobody can know is
// said (R41).
import { afterAll, expect, test } from "bun:test";
import { spawn } from "node:child_process";
import process from "node:process";
import { CompiledQuery } from "kysely";
import { openDatabase } from "../../db/engine/open.ts";
import { readConfig } from "../../src/config.ts";
import { openRepositoryWriter } from "../../src/main/repository/runtime.ts";
import { OUTGOING_JOB } from "../../src/model/notices/notice-rules.ts";
import { eventually } from "../support/eventually.ts";
import { firstSetup } from "../support/first-repository.ts";
import { startMailServer } from "../support/mail-server.ts";
import { commandOf, temporaryFolder } from "../support/processes.ts";

const folder = temporaryFolder("kill-mail");
afterAll(() => folder.remove());

test("R41 a message that was on its way when its process was killed is never sent twice, the others are sent", async () => {
  const server = await startMailServer();
  const env = {
    SVC_DATA_DIR: folder.path,
    SVC_LOG_LEVEL: "warn",
    SVC_SMTP_URL: server.url,
    SVC_MAIL_FROM: "repository@library.example.org",
  };
  await firstSetup(env);
  const config = readConfig(env);
  const store = await openRepositoryWriter(config, {});
  const [account] = await store.accounts.listAccounts(0, 1);
  const at = new Date().toISOString();
  await store.transact(async (tx) => {
    for (const number of [1, 2, 3]) {
      const about = `bulk-change:${number}`;
      const payload = { kind: "job-finished", about, by: account?.id ?? 0, to: null };
      const entry = { channel: "mail", subject: `job-finished ${about}`, accountId: account?.id ?? 0 } as const;
      await tx.outgoing.addOutgoing([{ ...entry, payload, state: "waiting", runAt: at }], at);
    }
    await tx.jobs.enqueue({ kind: OUTGOING_JOB, subject: "" }, at);
  });
  const [program, ...args] = commandOf("worker");
  const start = () => spawn(program, args, { env: { ...process.env, ...env }, stdio: ["ignore", "ignore", "inherit"] });
  const states = async () =>
    (await store.outgoing.listOutgoing({ channel: "mail" }, null, 10)).map(({ state }) => state).toSorted();

  server.next.push("take", "hold");
  const first = start();
  await eventually("two messages arrived", () => server.received.length === 2);
  process.kill(first.pid ?? 0, "SIGKILL");
  await new Promise((resolve) => first.once("exit", resolve));
  expect(await states()).toEqual(["handed", "sent", "waiting"]);

  // The claim of the process that is gone ends after a minute; the test does not wait for it.
  const database = await openDatabase({ url: config.databaseUrl });
  await database.writer.executeQuery(CompiledQuery.raw("update job set lease_until = '2000-01-01T00:00:00.000Z'"));
  await database.close();
  const second = start();
  await eventually("the third message arrived", () => server.received.length === 3);
  await eventually("it is recorded", async () => !(await states()).includes("handed"));
  process.kill(second.pid ?? 0, "SIGTERM");
  await new Promise((resolve) => second.once("exit", resolve));
  expect(await states()).toEqual(["sent", "sent", "uncertain"]);
  expect(new Set(server.received.map(({ source }) => /^Message-ID: (.*)$/im.exec(source)?.[1])).size).toBe(3);
  await store.close();
  await server.close();
}, 60_000);
