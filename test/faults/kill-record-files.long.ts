// `kill -9` of a repository while files of drafts are committed, uploads in parts are joined and files of the version
// before are taken over (R8, R37): what was answered is there, and nothing is half there.
import { describe, expect, test } from "bun:test";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { PART_MIN_BYTES } from "../../src/storage/limits.ts";
import { depositInstallation } from "../support/deposit-installation.ts";
import { type FilesClient, filesClient, md5Of } from "../support/files-client.ts";
import type { Role } from "../support/processes.ts";

const ROUNDS = Math.max(2, Number(process.env.ARKSTONE_FAULT_ROUNDS ?? 2));
const PART = PART_MIN_BYTES;
const parts = [new Uint8Array(PART).fill(1), new Uint8Array(100).fill(2)];
const whole = Buffer.concat(parts);
const bytesOf = (key: string): Uint8Array => new TextEncoder().encode(`the bytes of ${key}`);

type Entry = { readonly key: string; readonly status: string; readonly size?: number };
const isPart = (key: string): boolean => key.startsWith("parts");

/** Sends and commits one file after the other until the connection breaks; tells each commit that was answered. */
async function uploading(client: FilesClient, id: string, round: number, done: (key: string) => void): Promise<void> {
  for (let number = 0; ; number += 1) {
    const key = `${number % 3 === 0 ? "parts" : "file"}-${round}-${number}.bin`;
    const transfer = { type: "M", parts: 2, part_size: PART };
    await client.register(id, isPart(key) ? { key, size: whole.length, transfer } : { key });
    if (isPart(key)) {
      for (const [index, bytes] of parts.entries()) await client.part(id, key, index + 1, bytes);
    } else await client.content(id, key, bytesOf(key));
    const { status } = await client.commit(id, key);
    if (status === 200) done(key);
  }
}

async function importing(client: FilesClient, versions: readonly string[], done: (id: string) => void): Promise<void> {
  for (const id of versions) {
    const { status } = await client.ask("POST", `/api/records/${id}/draft/actions/files-import`);
    if (status === 201) done(id);
  }
}

describe("files of records and kill -9", () => {
  test("S3.6.104: a commit, a joined upload and an import are whole or not at all", async () => {
    const installation = await depositInstallation("kill-record-files");
    const token = await installation.setup.client();
    let server: Role = await installation.start();
    const client = filesClient(() => server.base, token);
    try {
      for (let round = 0; round < ROUNDS; round += 1) {
        const draft = await client.draft(`Round ${round}`);
        const versions: string[] = [];
        for (let number = 0; number < 3; number += 1) {
          const first = await client.draft(`Version ${round} ${number}`);
          await client.register(first, { key: "a" }, { key: "b" });
          for (const key of ["a", "b"]) {
            await client.content(first, key, bytesOf(key));
            await client.commit(first, key);
          }
          expect((await client.ask("POST", `/api/records/${first}/draft/actions/publish`)).status).toBe(202);
          versions.push(String((await client.ask("POST", `/api/records/${first}/versions`)).json.id));
        }
        const [committed, imported]: [Set<string>, Set<string>] = [new Set(), new Set()];
        const ended = Promise.allSettled([
          uploading(client, draft, round, (key) => committed.add(key)),
          sleep(100 + round * 13).then(() => importing(client, versions, (id) => imported.add(id))),
        ]);
        await sleep(140 + ((round * 37) % 200));
        await server.kill("SIGKILL");
        await ended;
        server = await installation.start();
        const { json } = await client.ask("GET", client.filesOf(draft));
        const entries = json.entries as readonly Entry[];
        for (const key of committed) {
          expect([key, entries.find((entry) => entry.key === key)?.status]).toEqual([key, "completed"]);
        }
        for (const { key, status } of entries) {
          const expected = isPart(key) ? whole : bytesOf(key);
          if (status !== "completed") {
            // Sent again from where it was, it is completed all the same.
            const again = await client.commit(draft, key);
            if (again.status !== 200) {
              if (isPart(key))
                for (const [index, bytes] of parts.entries()) await client.part(draft, key, index + 1, bytes);
              else await client.content(draft, key, expected);
              expect((await client.commit(draft, key)).status).toBe(200);
            }
          }
          const bytes = await client.bytes(`${client.filesOf(draft)}/${key}/content`);
          expect([key, md5Of(bytes)]).toEqual([key, md5Of(expected)]);
        }
        for (const id of versions) {
          const { json: list } = await client.ask("GET", client.filesOf(id));
          const keys = (list.entries as readonly Entry[]).map(({ key }) => key);
          expect([id, [0, 2].includes(keys.length)]).toEqual([id, true]);
          if (imported.has(id)) expect(keys).toEqual(["a", "b"]);
          else if (keys.length === 0) {
            expect((await client.ask("POST", `/api/records/${id}/draft/actions/files-import`)).status).toBe(201);
          }
        }
      }
    } finally {
      await server.kill("SIGTERM");
      await installation.close();
    }
  }, 600_000);
});
