// The dashboard and the alerts name only figures that /metrics of a running role exposes, with labels it has, and every
// alert is explained in docs/operations.md (issue 4, item 7; of the repository R13, R16).
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { depositOf, type FirstRepository, firstRepository, smallCrate, smallXml } from "../support/first-repository.ts";
import { temporaryFolder } from "../support/processes.ts";
import { run } from "../support/run.ts";
import { ask } from "../support/world/names.ts";
import { setUpWorld } from "../support/world.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const read = (path: string): string => readFileSync(join(ROOT, path), "utf8");

let repository: FirstRepository;
const folder = temporaryFolder("monitoring");
/** The /metrics of the repository after a deposit that was registered, one that waits and one that was refused. */
let ofRepository = "";
/** Series of all roles: name, and the labels seen on it. */
const exposed = new Map<string, Set<string>>();
const world = setUpWorld({ names: { file: true } });
beforeAll(async () => {
  const limits = { SVC_METRICS: "public", SVC_RATE_PER_MINUTE: "100", SVC_ADDRESS_RATE_PER_MINUTE: "100" };
  const minter = world.minter(limits);
  const { handler } = await world.resolver(limits);
  await ask(minter, "GET", "/api/stats");
  await ask(handler, "GET", "/ark:99999?info");
  repository = await firstRepository({ SVC_DATA_DIR: folder.path, ...limits });
  const { token } = repository;
  for (const [by, archive] of [
    [token, smallCrate()],
    [await repository.plainToken(), smallXml()],
    [token, new Uint8Array(100)],
  ] as const) {
    await repository.ask("/sword/service-document", { method: "POST", ...depositOf(by, archive) });
  }
  const hourAgo = new Date(Date.now() - 3_600_000).toISOString();
  await repository.store.transact((tx) => tx.jobs.enqueue({ kind: "file_md5", subject: "a" }, hourAgo));
  ofRepository = await (await repository.ask("/metrics")).text();
  const texts = [
    (await ask(minter, "GET", "/metrics")).text,
    (await ask(handler, "GET", "/metrics")).text,
    ofRepository,
  ];
  for (const text of texts) {
    for (const [, name = "", type = ""] of text.matchAll(/^# TYPE (\S+) (\S+)$/gm)) {
      for (const end of type === "histogram" ? ["_bucket", "_sum", "_count"] : [""]) {
        if (!exposed.has(name + end)) exposed.set(name + end, new Set(["job", "instance"]));
      }
    }
    for (const [, name = "", labels = ""] of text.matchAll(/^([a-z_]+)\{(.*)\} \S+$/gm)) {
      for (const [, label = ""] of labels.matchAll(/([a-z]+)="/g)) exposed.get(name)?.add(label);
    }
  }
  exposed.set("up", new Set(["job", "instance"]));
});
afterAll(async () => {
  await repository.close();
  folder.remove();
});

const WORDS = new Set(
  "sum max min by rate increase changes histogram_quantile predict_linear time and or unless on ignoring".split(" "),
);

type Use = { readonly name: string; readonly labels: readonly string[] };

/** The series an expression asks for; throws on a word that is neither one nor of PromQL. */
function seriesOf(expression: string): Use[] {
  const labels = [...expression.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list = ""]) => list.split(/,\s*/));
  const uses: Use[] = [];
  const text = expression.replace(/\bby \([^)]*\)/g, " ").replace(/\[[^\]]*\]/g, " ");
  for (const [, name = "", selector] of text.matchAll(/([A-Za-z_][A-Za-z0-9_]*)(\{[^}]*\})?/g)) {
    if (WORDS.has(name) || /^e\d+$/.test(name)) continue;
    uses.push({
      name,
      labels: [...(selector ?? "").matchAll(/([a-z_]+)(?:=~|!=|!~|=)/g)].map(([, label = ""]) => label),
    });
  }
  const grouped = labels.filter((label) => label !== "");
  return uses.map((use) => ({ ...use, labels: [...use.labels, ...grouped] }));
}

function problems(expressions: readonly string[]): string[] {
  return expressions.flatMap((expression) =>
    seriesOf(expression.replace(/\b\d+(?:\.\d+)?(?:e\d+)?\b/g, " ")).flatMap(({ name, labels }) => {
      const known = exposed.get(name);
      if (known === undefined) return [`${name} in ${expression}`];
      return labels.filter((label) => !known.has(label) && label !== "le").map((label) => `${name}{${label}}`);
    }),
  );
}

type Panel = {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly targets?: readonly { readonly refId: string; readonly expr: string; readonly legendFormat: string }[];
};

describe("deploy/grafana/arkstone.json", () => {
  const dashboard: { readonly uid: string; readonly schemaVersion: number; readonly panels: readonly Panel[] } =
    JSON.parse(read("deploy/grafana/arkstone.json"));

  test("every expression names series that exist, with labels they have", () => {
    const expressions = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
    expect(expressions.length).toBeGreaterThan(25);
    expect(problems(expressions)).toEqual([]);
  });

  test("panels have their own ids and places, a title and something to show", () => {
    expect(dashboard.uid).toBe("arkstone");
    expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length);
    const taken = new Set<string>();
    for (const { title, type, targets, gridPos } of dashboard.panels) {
      expect(title.length).toBeGreaterThan(2);
      expect(["row", "stat", "timeseries"]).toContain(type);
      if (type !== "row") expect(targets?.length ?? 0).toBeGreaterThan(0);
      expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24);
      for (let x = gridPos.x; x < gridPos.x + gridPos.w; x += 1) {
        const cell = `${x} ${gridPos.y}`;
        expect(taken.has(cell)).toBe(false);
        taken.add(cell);
      }
    }
  });

  test("every figure of a role, but those of the histogram, is on a panel", () => {
    const shown = read("deploy/grafana/arkstone.json");
    const missing = [...exposed.keys()].filter((name) => !shown.includes(name) && !/_(?:sum|count)$|^up$/.test(name));
    expect(missing).toEqual([]);
  });
});

describe("deploy/alerts.yaml", () => {
  const text = read("deploy/alerts.yaml");
  const alerts = text.split(/^ {6}- alert: /m).slice(1);
  const nameOf = (alert: string): string => alert.slice(0, alert.indexOf("\n")).trim();
  const expressionOf = (alert: string): string => {
    const [, first = "", rest = ""] = /^ {8}expr: (.*)\n((?: {10}.*\n)*)/m.exec(alert) ?? [];
    return `${first.replace(/^>-$/, "")} ${rest}`.replace(/\s+/g, " ").trim();
  };

  test("every expression names series that exist, with labels they have", () => {
    expect(alerts.length).toBeGreaterThan(10);
    for (const alert of alerts) expect(expressionOf(alert)).not.toBe("");
    expect(problems(alerts.map(expressionOf))).toEqual([]);
  });

  test("every alert has a severity, a summary, and its paragraph in docs/operations.md", () => {
    const guide = read("docs/operations.md");
    for (const alert of alerts) {
      const name = nameOf(alert);
      expect(alert).toMatch(/severity: (?:critical|warning|info)/);
      expect(alert).toMatch(/summary: "[^"]{20,}"/);
      expect(alert).toContain(`runbook: docs/operations.md#${name.toLowerCase()}`);
      expect(guide).toContain(`### ${name}\n`);
    }
    const explained = [...guide.matchAll(/^### (Arkstone\w+)$/gm)].map(([, name = ""]) => name);
    expect(explained.sort()).toEqual(alerts.map(nameOf).sort());
  });

  test("every figure is explained in docs/operations.md", () => {
    const guide = read("docs/operations.md");
    const names = [...exposed.keys()]
      .filter((name) => name !== "up")
      .map((name) => name.replace(/_(?:bucket|sum|count)$/, ""));
    expect(names.filter((name) => !guide.includes(`\`${name}`))).toEqual([]);
  });

  test("the judge of expressions finds what does not exist", () => {
    expect(problems(["sum(rate(arkstone_nothing_total[5m]))"])).toHaveLength(1);
    expect(problems(['sum by (planet) (arkstone_requests_total{status="200"})'])).toEqual([
      "arkstone_requests_total{planet}",
    ]);
    expect(problems(["sum by (status) (rate(arkstone_requests_total[5m])) > 0.01 * 1e9"])).toEqual([]);
  });
});

describe("figures of the repository", () => {
  const figure = (series: string): number => {
    const [, value] = ofRepository.split("\n").flatMap((line) => {
      const at = line.lastIndexOf(" ");
      return line.slice(0, at) === series ? [line, line.slice(at + 1)] : [];
    });
    return Number(value);
  };

  test("R13 deposits are reported by format and outcome, and their bytes, refused ones too", () => {
    expect(figure('arkstone_deposits_total{format="ro-crate",outcome="registered"}')).toBe(1);
    expect(figure('arkstone_deposits_total{format="jpcoar-xml",outcome="waiting"}')).toBe(1);
    expect(figure('arkstone_deposits_total{format="unknown",outcome="refused"}')).toBe(1);
    expect(figure("arkstone_deposits_in_work")).toBe(0);
    expect(figure("arkstone_deposits_sent_away_total")).toBe(0);
    expect(figure("arkstone_deposit_received_bytes_total")).toBeGreaterThan(1000);
    expect(figure("arkstone_storage_free_bytes")).toBeGreaterThan(0);
  });

  test("R8 a job that is due and that nobody runs is seen, and for how long", () => {
    expect(figure('arkstone_jobs{kind="file_md5",state="waiting"}')).toBe(1);
    expect(figure('arkstone_job_overdue_seconds{kind="file_md5"}')).toBeGreaterThan(3500);
  });

  test("R16 nobody waits unseen: the activity that waits for approval, how long it waits, and items by state", () => {
    expect(figure('arkstone_activities{state="M",action="approval"}')).toBe(1);
    expect(figure('arkstone_activity_oldest_seconds{state="M",action="approval"}')).toBeLessThan(60);
    expect(figure('arkstone_items{state="published"}')).toBe(1);
    expect(figure('arkstone_items{state="draft"}')).toBe(1);
  });
});

describe("the dashboard", () => {
  test("is one by Grafana's own types", async () => {
    const folder = temporaryFolder("dashboard");
    try {
      symlinkSync(join(ROOT, "node_modules"), join(folder.path, "node_modules"));
      const file = join(folder.path, "dashboard.ts");
      // As a literal: an imported JSON file would lose the words that the types choose from.
      const source = read("deploy/grafana/arkstone.json");
      writeFileSync(
        file,
        `import type { Dashboard } from "@grafana/schema";\nexport const dashboard: Dashboard = ${source};\n`,
      );
      const options = ["--noEmit", "--strict", "--skipLibCheck", "--module", "preserve", "--target", "esnext"];
      const tsc = join(ROOT, "node_modules", ".bin", "tsc");
      const { code, output } = await run([tsc, ...options, "--moduleResolution", "bundler", file], {
        cwd: folder.path,
        env: { NO_COLOR: "1", PATH: process.env.PATH ?? "" },
      });
      expect([code, output]).toEqual([0, ""]);
    } finally {
      folder.remove();
    }
  }, 60_000);
});
