// Paths of this machine that a model names (R30; specification 3, add_file): whatever they state, only files below one
// folder are read, and asking finds nothing out about the rest.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { execFileSync } from "node:child_process";
import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { importFolder } from "../../src/adapters/import-folder.ts";
import { cpuMs } from "../support/cpu-time.ts";
import { METADATA } from "../support/record-calls.ts";
import { stdioTools } from "../support/stdio-tools.ts";
import { setUpWorld } from "../support/world.ts";

const SECRET = "the secret of this machine";
const REFUSED = {
  status: 403,
  code: "forbidden",
  message: "The path leads to no file of the folder that files may be imported from.",
};

describe("R30 paths that a model names", () => {
  const world = setUpWorld({ repository: true });
  let stdio: ReturnType<typeof stdioTools>;
  let [root, folder, draft] = ["", "", ""];

  beforeAll(async () => {
    root = mkdtempSync(join(tmpdir(), "arkstone-paths-"));
    folder = join(root, "in");
    mkdirSync(join(folder, "sub"), { recursive: true });
    mkdirSync(join(folder, ".ssh"));
    writeFileSync(join(root, "secret.txt"), SECRET);
    writeFileSync(join(root, "in-sibling.txt"), SECRET);
    writeFileSync(join(folder, ".env"), SECRET);
    writeFileSync(join(folder, ".ssh", "key"), SECRET);
    writeFileSync(join(folder, "fine.txt"), "fine");
    stdio = stdioTools(world, folder);
    const made = await stdio.call("registered", "create_record", { metadata: METADATA, files_enabled: true });
    draft = made.structuredContent.id;
  });
  afterAll(async () => {
    await stdio.close();
    rmSync(root, { recursive: true, force: true });
  });

  const add = (path: string, key = "taken.txt") =>
    stdio.call("registered", "add_file", { recid: draft, key, source_path: path });
  async function expectRefused(...paths: readonly string[]): Promise<void> {
    for (const path of paths) {
      const { isError, structuredContent, content } = await add(path);
      expect([path, isError, structuredContent.error]).toMatchObject([path, true, REFUSED]);
      expect(content[0]?.text).not.toContain(root);
    }
    expect([...(await world.filesOf(Number(draft))).keys()]).not.toContain("taken.txt");
  }

  test("S3.7.175: dots and absolute paths lead to nothing outside, and what is not there answers as what is outside", async () => {
    await expectRefused(
      "../secret.txt",
      "sub/../../secret.txt",
      "sub/../../in-sibling.txt",
      "../in/../secret.txt",
      join(root, "secret.txt"),
      join(root, "in-sibling.txt"),
      relative(folder, "/etc/passwd"),
      "/etc/passwd",
      "none.txt",
      ".",
      "sub",
      "..",
      "fine.txt/..",
      "fine.txt\0.png",
      `${"a/".repeat(2_000)}x`,
      "file:///etc/passwd",
      "~/secret.txt",
    );
    expect((await add("sub/../fine.txt", "a.txt")).structuredContent).toMatchObject({ key: "a.txt", size: 4 });
    expect((await add(join(folder, "fine.txt"), "b.txt")).structuredContent).toMatchObject({ key: "b.txt", size: 4 });
  });

  test("S3.7.176: links of every kind are taken for what they name", async () => {
    symlinkSync(join(root, "secret.txt"), join(folder, "link.txt"));
    symlinkSync("../secret.txt", join(folder, "relative.txt"));
    symlinkSync(root, join(folder, "up"));
    symlinkSync("link.txt", join(folder, "chain.txt"));
    symlinkSync("loop.txt", join(folder, "loop.txt"));
    symlinkSync("/proc/self", join(folder, "self"));
    symlinkSync("fine.txt", join(folder, "inside.txt"));
    await expectRefused("link.txt", "relative.txt", "up/secret.txt", "up/in/../secret.txt", "chain.txt", "loop.txt");
    await expectRefused("self/environ", "self/root/etc/passwd", "self/cwd/package.json");
    expect((await add("inside.txt", "c.txt")).structuredContent).toMatchObject({ size: 4 });
  });

  test("S3.7.177: a file that becomes a link between the look and the reading is not read", async () => {
    const open = importFolder(folder);
    const read = async (pieces: AsyncIterable<Uint8Array>): Promise<string> => {
      let text = "";
      for await (const piece of pieces) text += new TextDecoder().decode(piece);
      return text;
    };
    writeFileSync(join(folder, "swapped.txt"), "fine");
    const asFile = await open("swapped.txt");
    rmSync(join(folder, "swapped.txt"));
    symlinkSync(join(root, "secret.txt"), join(folder, "swapped.txt"));
    await expect(read(asFile.pieces)).rejects.toThrow("leads to no file");
    mkdirSync(join(folder, "box"));
    mkdirSync(join(root, "other"));
    writeFileSync(join(folder, "box", "a.txt"), "fine");
    writeFileSync(join(root, "other", "a.txt"), SECRET);
    const inBox = await open("box/a.txt");
    renameSync(join(folder, "box"), join(folder, "box-before"));
    symlinkSync(join(root, "other"), join(folder, "box"));
    await expect(read(inBox.pieces)).rejects.toThrow("leads to no file");
    expect(await read((await open("fine.txt")).pieces)).toBe("fine");
  });

  test("S3.7.178: files about the system, devices and pipes are not files, and nobody waits for them", async () => {
    execFileSync("mkfifo", [join(folder, "pipe")]);
    await expectRefused("/proc/self/environ", "/proc/self/fd/0", "/dev/zero", "/dev/stdin", "/dev/fd/0", "pipe");
    const open = importFolder(folder);
    writeFileSync(join(folder, "becomes"), "fine");
    const { pieces } = await open("becomes");
    rmSync(join(folder, "becomes"));
    execFileSync("mkfifo", [join(folder, "becomes")]);
    await expect(pieces[Symbol.asyncIterator]().next()).rejects.toThrow("leads to no file");
  });

  test("S3.7.179: hidden files, the program's own folder and the whole machine are not offered", async () => {
    await expectRefused(".env", ".ssh/key", "sub/../.env");
    const data = join(folder, "data");
    mkdirSync(data);
    writeFileSync(join(data, "arkstone.db"), SECRET);
    symlinkSync(join(data, "arkstone.db"), join(folder, "database"));
    const open = importFolder(folder, [data]);
    for (const path of ["data/arkstone.db", "database"]) await expect(open(path)).rejects.toThrow("leads to no file");
    await expect(importFolder("/")("/etc/passwd")).rejects.toThrow("leads to no file");
    await expect(importFolder(join(root, "nowhere"))("a")).rejects.toThrow("leads to no file");
    expect((await open("fine.txt")).lengthBytes).toBe(4);
  });

  test("S3.7.180: a file of a terabyte is refused before a byte of it is read; a second name of a file is that file", async () => {
    writeFileSync(join(folder, "vast.bin"), "");
    truncateSync(join(folder, "vast.bin"), 2 ** 40);
    const ms = await cpuMs(async () => {
      const { structuredContent } = await add("vast.bin", "vast.bin");
      expect(structuredContent.error).toMatchObject({ status: 413, code: "too_large" });
    });
    expect(ms).toBeLessThan(500);
    linkSync(join(folder, "fine.txt"), join(folder, "second.txt"));
    expect((await add("second.txt", "d.txt")).structuredContent).toMatchObject({ size: 4 });
    const { structuredContent: list } = await stdio.call("registered", "list_files", { recid: draft });
    expect(list.files.map(({ key }: { key: string }) => key)).not.toContain("vast.bin");
  });
});
