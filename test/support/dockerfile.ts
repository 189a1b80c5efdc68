// Reads a Dockerfile as far as its tests need it: stages and their instructions, continued lines joined, comments
// dropped.

type Instruction = { readonly name: string; readonly rest: string };
type Stage = { readonly image: string; readonly name: string; readonly instructions: readonly Instruction[] };

export function stagesOf(text: string): Stage[] {
  const lines = text
    .split("\n")
    .filter((line) => !/^\s*#/.test(line))
    .join("\n")
    .replace(/\\\n/g, " ")
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  const stages: { image: string; name: string; instructions: Instruction[] }[] = [];
  for (const line of lines) {
    const [, word = "", rest = ""] = /^(\w+)\s+(.*)$/.exec(line) ?? [];
    const name = word.toUpperCase();
    if (name === "FROM") {
      const [image = "", , stage = ""] = rest.split(/\s+/);
      stages.push({ image, name: stage, instructions: [] });
    } else stages.at(-1)?.instructions.push({ name, rest });
  }
  return stages;
}

/** The arguments of an instruction, once for each time it is used. */
export const all = (stage: Stage, name: string): string[] =>
  stage.instructions.filter((each) => each.name === name).map(({ rest }) => rest);

/**
 * The words of an instruction in its JSON form; null where it is written for a shell, which the image does not have.
 */
export function wordsOf(rest: string): readonly string[] | null {
  const list = /\[.*\]$/.exec(rest)?.[0];
  if (list === undefined) return null;
  const words: unknown = JSON.parse(list);
  return Array.isArray(words) && words.every((word) => typeof word === "string") ? words : null;
}

/** Variables set by `ENV`. */
export function variablesOf(stage: Stage): Record<string, string> {
  const pairs = all(stage, "ENV").flatMap((rest) => [...rest.matchAll(/(\w+)=(\S+)/g)]);
  return Object.fromEntries(pairs.map(([, name = "", value = ""]) => [name, value]));
}
