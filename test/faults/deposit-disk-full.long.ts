// The disk of the data folder has no room for a deposit (R13): a small file system inside `unshare -m`. Refused before
// the body where its length is known, 503 in any case, nothing of it left, and the next deposit that fits works.
// Skipped with a line where no file system may be mounted.
import { describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { join } from "node:path";
import process from "node:process";
import { packedZeros } from "../hostile/packages-structure.ts";
import { depositInstallation, filesBelow, postDeposit, rawDeposit } from "../support/deposit-installation.ts";
import { bagPieces } from "../support/package-builder.ts";
import { temporaryFolder } from "../support/processes.ts";
import { type RawAnswer, rawClient } from "../support/raw-http.ts";
import { run } from "../support/run.ts";
import { zip } from "../support/zip-writer.ts";

const UNSHARE = process.getuid?.() === 0 ? ["unshare", "-m"] : ["unshare", "-rm"];
const MOUNT = 'mount -t tmpfs -o size=100m tmpfs "$0"';
const MIB = 1024 * 1024;
const ZEROS_MIB = 150;

async function isPermitted(): Promise<boolean> {
  const folder = temporaryFolder("mount");
  const { code } = await run([...UNSHARE, "sh", "-c", MOUNT, folder.path]);
  folder.remove();
  return code === 0;
}

const permitted = await isPermitted();
if (!permitted)
  console.error("No small file system may be mounted here: the test of deposits on a full disk is skipped");

function expectNoRoom(answer: RawAnswer | null): void {
  expect([answer?.status, answer?.headers.has("retry-after")]).toEqual([503, true]);
  const document: Readonly<Record<string, unknown>> = JSON.parse(answer?.body ?? "{}");
  expect(document["@type"]).toBe("ServerError");
}

describe.skipIf(!permitted)("a deposit that the disk has no room for", () => {
  test("R13 is refused with 503 before, while or after its body comes, leaves nothing behind, and the next one that fits is taken", async () => {
    const installation = await depositInstallation("deposit-disk-full");
    const token = await installation.setup.client();
    const storage = temporaryFolder("deposit-disk-full-storage");
    const script = `cp -a "$0"/. "$1"/ && ${MOUNT} && cp -a "$1"/. "$0"/ && shift && exec "$@"`;
    const server = await installation.start({
      before: [...UNSHARE, "sh", "-c", script, installation.dataDir, storage.path],
    });
    const client = rawClient(installation.port, 30_000);
    try {
      // The folder as the server sees it.
      const files = (): readonly string[] =>
        filesBelow(join(`/proc/${server.pid}/root`, installation.dataDir, "files"));
      const good = zip(bagPieces());
      expect((await postDeposit(server.base, good, { token })).status).toBe(201);
      const before = files();
      const request = rawDeposit(good, { token });
      const declared = request.replace(/content-length: \d+/, `content-length: ${60 * MIB}`);
      // Its length is declared, so nothing of the body is waited for.
      expectNoRoom(await client.send(declared.slice(0, declared.indexOf("\r\n\r\n") + 4)));
      expect(files()).toEqual(before);
      client.close();
      const body = request.slice(request.indexOf("\r\n\r\n") + 4);
      const long = body.replace(/PK[\s\S]*(?=\r\n--)/, () => "\0".repeat(110 * MIB));
      const unknown = request
        .slice(0, request.indexOf("\r\n\r\n") + 4)
        .replace(/content-length: \d+/, "transfer-encoding: chunked");
      expectNoRoom(await client.send(`${unknown}${long.length.toString(16)}\r\n${long}\r\n0\r\n\r\n`));
      expect(files()).toEqual(before);
      client.close();
      // A small package with a file that is too large.
      const { packed, ...zeros } = packedZeros(ZEROS_MIB);
      const hash = createHash("sha256");
      for (let each = 0; each < ZEROS_MIB; each++) hash.update(new Uint8Array(MIB));
      const line = `${hash.digest("hex")}  data/zeros\n`;
      const pieces = bagPieces({
        manifest: (lines) => `${lines.join("\n")}\n${line}`,
        more: [{ name: "data/zeros", packed, deflate: true, both: zeros }],
      });
      expectNoRoom(await client.send(rawDeposit(zip(pieces), { token })));
      expect(files()).toEqual(before);
      expect((await postDeposit(server.base, good, { token })).status).toBe(201);
    } finally {
      client.close();
      await server.kill("SIGKILL");
      await installation.close();
      storage.remove();
    }
  }, 60_000);
});
