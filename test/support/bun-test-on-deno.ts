// The part of the `bun:test` interface our tests use, over Deno.test: deno.json maps `bun:test` to this file.
// Suites are flattened ("suite > test"), so that Deno counts, filters and skips single tests as Bun does.
import { expect as jestExpect } from "expect";

type Body = () => unknown;
type Hook = () => unknown;
type Options = number | { readonly timeout?: number };

type Suite = {
  readonly name: string;
  readonly parent: Suite | null;
  readonly skipped: boolean;
  readonly beforeAll: Hook[];
  readonly afterAll: Hook[];
  readonly beforeEach: Hook[];
  readonly afterEach: Hook[];
  /** Tests of this suite and the suites in it that have not ended yet. */
  pending: number;
  begun: Promise<void> | null;
};

type DenoTest = (options: {
  name: string;
  ignore: boolean;
  fn: () => Promise<void>;
  sanitizeOps: boolean;
  sanitizeResources: boolean;
  sanitizeExit: boolean;
}) => void;
// This file runs on Deno alone, whose types clash with Bun's.
const denoTest = (globalThis as unknown as { readonly Deno: { readonly test: DenoTest } }).Deno.test;

/** As long as `bun run check` gives a test on Bun: the machines it runs on are slow and busy. */
const DEFAULT_TIMEOUT_MS = 60_000;
const root = newSuite("", null, false);
let current = root;

export const expect = jestExpect;

function newSuite(name: string, parent: Suite | null, skipped: boolean): Suite {
  return {
    name,
    parent,
    skipped,
    beforeAll: [],
    afterAll: [],
    beforeEach: [],
    afterEach: [],
    pending: 0,
    begun: null,
  };
}

/** From the outermost suite to this one. */
function lineage(suite: Suite): Suite[] {
  return suite.parent === null ? [suite] : [...lineage(suite.parent), suite];
}

async function runAll(hooks: readonly Hook[]): Promise<void> {
  for (const hook of hooks) await hook();
}

async function withTimeout(body: Body, timeoutMs: number): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`The test took longer than ${timeoutMs} ms`)), timeoutMs);
  });
  try {
    await Promise.race([Promise.resolve(body()), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Of the test that runs; tests run one after another. */
let finished: Hook[] = [];
export const onTestFinished = (hook: Hook): void => void finished.push(hook);

async function runOne(suite: Suite, body: Body, timeoutMs: number): Promise<void> {
  const suites = lineage(suite);
  try {
    for (const each of suites) {
      each.begun ??= runAll(each.beforeAll);
      await each.begun;
    }
    for (const each of suites) await runAll(each.beforeEach);
    try {
      await withTimeout(body, timeoutMs);
    } finally {
      await runAll(finished);
      finished = [];
      for (const each of suites.toReversed()) await runAll(each.afterEach);
    }
  } finally {
    for (const each of suites.toReversed()) {
      each.pending -= 1;
      if (each.pending === 0 && each.begun !== null) await runAll(each.afterAll);
    }
  }
}

function register(name: string, body: Body | undefined, options: Options | undefined, skip: boolean): void {
  const suite = current;
  const suites = lineage(suite);
  const ignore = skip || body === undefined || suites.some((each) => each.skipped);
  const timeoutMs = typeof options === "number" ? options : (options?.timeout ?? DEFAULT_TIMEOUT_MS);
  const fullName = [...suites.map((each) => each.name), name].filter((part) => part !== "").join(" > ");
  if (!ignore) for (const each of suites) each.pending += 1;
  denoTest({
    name: fullName,
    ignore,
    fn: () => runOne(suite, body ?? (() => {}), timeoutMs),
    sanitizeOps: false,
    sanitizeResources: false,
    sanitizeExit: false,
  });
}

function group(name: string, fill: () => void, skipped: boolean): void {
  const outer = current;
  current = newSuite(name, outer, skipped);
  try {
    fill();
  } finally {
    current = outer;
  }
}

/** `%s`, `%d`, `%i`, `%j`, `%p` in turn, `%#` the index, `%%` a percent sign; as Bun writes names of tables. */
function tableName(template: string, row: readonly unknown[], index: number): string {
  let next = 0;
  return template.replace(/%([sdijp#%])/g, (whole, kind: string) => {
    if (kind === "%") return "%";
    if (kind === "#") return String(index);
    if (next >= row.length) return whole;
    const value = row[next++];
    return kind === "s" || kind === "d" || kind === "i" ? String(value) : JSON.stringify(value);
  });
}

function table(add: (name: string, body: Body, options?: Options) => void) {
  return (rows: readonly unknown[]) =>
    (name: string, body: (...row: never[]) => unknown, options?: Options): void => {
      for (const [index, item] of rows.entries()) {
        const row = Array.isArray(item) ? item : [item];
        // The rows carry the types; a table of any shape cannot be written more narrowly here.
        add(tableName(name, row, index), () => body(...(row as never[])), options);
      }
    };
}

const plain = (name: string, body: Body, options?: Options): void => register(name, body, options, false);
const skipped = (name: string, body?: Body, options?: Options): void => register(name, body, options, true);
export const test = Object.assign(plain, {
  each: table(plain),
  skip: skipped,
  todo: skipped,
  skipIf: (condition: boolean) => (condition ? skipped : plain),
  if: (condition: boolean) => (condition ? plain : skipped),
});
export const it = test;

const suite = (name: string, fill: () => void): void => group(name, fill, false);
const skippedSuite = (name: string, fill: () => void): void => group(name, fill, true);
export const describe = Object.assign(suite, {
  each: table((name, body) => group(name, () => void body(), false)),
  skip: skippedSuite,
  skipIf: (condition: boolean) => (condition ? skippedSuite : suite),
  if: (condition: boolean) => (condition ? suite : skippedSuite),
});

export const beforeAll = (hook: Hook): void => void current.beforeAll.push(hook);
export const afterAll = (hook: Hook): void => void current.afterAll.push(hook);
export const beforeEach = (hook: Hook): void => void current.beforeEach.push(hook);
export const afterEach = (hook: Hook): void => void current.afterEach.push(hook);
