// How fast this machine is: limits in CPU milliseconds were set on one machine, and hold on others when they are scaled
// by this factor. A short piece of work of the kind that the server does is timed by the processor, not by the wall
// clock.
import process from "node:process";

/** CPU milliseconds of `sampleWork` on the machine on which the limits were set, idle. */
const REFERENCE_MS = 36;
const RUNS = 5;
/** A machine slower than this fails: its times would prove nothing about the code. */
const LARGEST_FACTOR = 4;
/** Times below this pass every limit, so that the machine need not be timed for them. */
const ALWAYS_SHORT_MS = 40;

/** JSON, strings, maps and sorting, over more memory than the first caches hold. */
function sampleWork(): number {
  const people = Array.from({ length: 20_000 }, (_, at) => ({
    "@id": `#person-${at}`,
    names: [{ family: `Family${at * 7919}`, given: "Given", lang: "en" }],
    ids: [{ scheme: "ORCID", value: `0000-0002-1825-${1000 + (at % 9000)}` }],
  }));
  const copy = JSON.parse(JSON.stringify(people)) as typeof people;
  const byName = new Map(copy.map((person) => [person.names[0]?.family.normalize("NFKC").toLowerCase() ?? "", person]));
  const words =
    [...byName.keys()]
      .sort()
      .join(" ")
      .match(/[a-z]+|\d+/g) ?? [];
  return new Set(words).size;
}

function leastSampleMs(): number {
  let least = Number.POSITIVE_INFINITY;
  for (let run = 0; run < RUNS; run++) {
    const before = process.cpuUsage();
    sampleWork();
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1000);
  }
  return least;
}

/**
 * How many times as much CPU time this machine needs right now as the machine on which the limits were set. At least 1,
 * so that nothing more is asked of a fast machine, and at most `LARGEST_FACTOR`.
 */
export function machineFactor(): number {
  return Math.min(LARGEST_FACTOR, Math.max(1, leastSampleMs() / REFERENCE_MS));
}

/**
 * CPU milliseconds measured here as milliseconds of the machine on which the limits were set. The machine is timed
 * right after the work: what slowed the work slows the sample as well.
 */
export function onReferenceMachine(ms: number): number {
  return ms < ALWAYS_SHORT_MS ? ms : ms / machineFactor();
}

const TRIES = 3;

/**
 * What a try measures that is below the limit, else the last of three: now and then a collection of what all tests of the
 * process hold falls into one, and what the code itself takes is there each time.
 */
export async function belowInATry<T extends { readonly worstMs: number }>(
  limitMs: number,
  work: () => Promise<T>,
): Promise<T> {
  let tried = await work();
  for (let tries = 1; tries < TRIES && tried.worstMs >= limitMs; tries += 1) tried = await work();
  return tried;
}
