// The Dockerfile without Docker: its rules are read from the text, and the commands of its build stage are run as they
// are, in a clean folder that holds what COPY brings and nothing else; what comes out is then run as in the last stage.
import { afterAll, describe, expect, test } from "bun:test";
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { basename, join } from "node:path";
import process from "node:process";
import { canBuild } from "../support/binary.ts";
import { all, stagesOf, variablesOf, wordsOf } from "../support/dockerfile.ts";
import { eventually } from "../support/eventually.ts";
import { freePort, temporaryFolder } from "../support/processes.ts";
import { run } from "../support/run.ts";
import { inSlowRing } from "../support/slow-ring.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const stages = stagesOf(readFileSync(join(ROOT, "Dockerfile"), "utf8"));
const [build, final] = stages;
if (build === undefined || final === undefined) throw new Error("The Dockerfile has two stages");
const folder = temporaryFolder("dockerfile");
afterAll(() => folder.remove());

describe("the Dockerfile", () => {
  test("two stages from images with version and digest; the last one has no shell and no secret", () => {
    expect(stages.length).toBe(2);
    const inCompose = [...readFileSync(join(ROOT, "compose.yaml"), "utf8").matchAll(/^ *image: (.*)$/gm)];
    const images = [...stages.map(({ image }) => image), ...inCompose.map(([, image]) => image ?? "")];
    expect(images.filter((image) => !/^[\w./-]+:(?!latest@)[\w.-]+@sha256:[0-9a-f]{64}$/.test(image))).toEqual([
      "arkstone",
    ]);
    expect(images.length).toBe(6);
    expect(final.image).toContain("distroless");
    expect(all(final, "RUN")).toEqual([]);
    expect(Object.keys(variablesOf(final)).sort()).toEqual(["SVC_DATA_DIR", "SVC_HOST"]);
    for (const stage of stages) expect(all(stage, "ADD")).toEqual([]);
  });

  test("nothing runs as root, everything is started without a shell, SIGTERM ends it", () => {
    expect(all(final, "USER")).toEqual(["65532:65532"]);
    for (const name of ["ENTRYPOINT", "CMD", "HEALTHCHECK"]) {
      expect([name, wordsOf(all(final, name)[0] ?? "")]).toEqual([name, expect.any(Array)]);
    }
    expect(wordsOf(all(final, "HEALTHCHECK")[0] ?? "")).toEqual(["/arkstone", "health"]);
    expect(all(final, "STOPSIGNAL")).toEqual(["SIGTERM"]);
    expect(all(final, "EXPOSE")).toEqual(["8000 8001 8002"]);
    // The data folder belongs to the user before it becomes a volume.
    expect(all(final, "COPY")).toContain("--from=build --chown=65532:65532 /arkstone/data /data");
    expect(all(final, "VOLUME")).toEqual([variablesOf(final).SVC_DATA_DIR ?? "?"]);
  });

  test("the version of Bun is the one the project asks for", () => {
    const { engines }: { engines: { bun: string } } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
    expect(all(build, "RUN")[0]).toBe(`npm install --global bun@${engines.bun.replace(">=", "")}`);
  });

  test("whatever is copied is let through by .dockerignore, which lets through nothing else", () => {
    const lines = readFileSync(join(ROOT, ".dockerignore"), "utf8")
      .split("\n")
      .filter((line) => /^[^#]/.test(line));
    expect(lines[0]).toBe("*");
    const allowed = lines.filter((line) => line.startsWith("!")).map((line) => line.slice(1));
    expect(allowed.toSorted()).toEqual(copied().toSorted());
  });

  // The binary itself is built and tried by test/binary.
  test.skipIf(!canBuild || !inSlowRing)(
    "its commands make a binary that runs as in the last stage and finds itself healthy",
    async () => {
      const place = join(folder.path, "arkstone");
      mkdirSync(place);
      for (const name of copied()) cpSync(join(ROOT, name), join(place, name), { recursive: true });
      const programs = join(folder.path, "bin");
      mkdirSync(programs);
      symlinkSync(process.execPath, join(programs, "bun"));
      const path = `${programs}:/usr/bin:/bin`;
      // The first one installs the runtime that this test runs on.
      for (const command of all(build, "RUN").slice(1)) {
        const outcome = await run(["sh", "-c", command], { cwd: place, env: { PATH: path, COMMIT: "fedcba987654" } });
        expect([command, outcome.code, outcome.code === 0 ? "" : outcome.output]).toEqual([command, 0, ""]);
      }
      // The folder a volume for files is mounted on (compose.yaml) is the user's, too.
      expect(existsSync(join(place, "data", "files"))).toBe(true);
      const brought = all(final, "COPY").map((rest) => rest.split(" ").at(-2) ?? "");
      for (const file of brought) expect([file, existsSync(join(folder.path, file))]).toEqual([file, true]);

      const binary = join(folder.path, brought[0] ?? "");
      expect(basename(binary)).toBe("arkstone");
      expect(librariesOf(binary)).toEqual([]);
      const port = await freePort();
      const env = {
        ...variablesOf(final),
        SVC_DATA_DIR: join(place, "data"),
        SVC_HOST: "127.0.0.1",
        SVC_PORT: String(port),
      };
      expect(execFileSync(binary, ["--version"], { encoding: "utf8", env })).toContain("(commit fedcba987654, bun ");
      const service = spawn(binary, ["minter"], { cwd: join(place, "data"), env, stdio: "ignore" });
      const ended = new Promise((resolve) => service.once("close", resolve));
      const health = (): number | null =>
        spawnSync(binary, (wordsOf(all(final, "HEALTHCHECK")[0] ?? "") ?? []).slice(1), { env }).status;
      expect(health()).toBe(1);
      await eventually("it is healthy", () => health() === 0, { withinMs: 60_000 });
      service.kill("SIGTERM");
      expect(await ended).toBe(0);
    },
    180_000,
  );
});

/** What COPY takes from the project into the build stage. */
function copied(): string[] {
  return all(build as (typeof stages)[number], "COPY").flatMap((rest) => rest.split(/\s+/).slice(0, -1));
}

/** Libraries the binary asks for besides those of the C library, which is what the last stage's image has. */
function librariesOf(binary: string): string[] {
  const { status, stdout } = spawnSync("ldd", [binary], { encoding: "utf8" });
  if (status !== 0) return [];
  const names = stdout.split("\n").flatMap((line) => /^\s*(\S+?\.so\S*)/.exec(line)?.[1] ?? []);
  return names
    .map((name) => basename(name))
    .filter((name) => !/^(?:linux-vdso|ld-linux[\w-]*|libc|libm|libdl|libpthread|librt)\.so/.test(name));
}
