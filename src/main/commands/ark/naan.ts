// `arkstone naan`: the NAANs that are ours, the foreign ones we know, and the odd records of the registry file (A31b,
// A45).

import { readFileSync } from "node:fs";
import { parseNaan } from "../../../ark/syntax.ts";
import { readConfig } from "../../../config.ts";
import { readRegistry } from "../../../resolver/registry.ts";
import { errorMessage } from "../../../shared/error-message.ts";
import { jsonText, plural } from "../../process/terminal.ts";
import { type Command, command } from "../command.ts";
import { withServices } from "../context.ts";
import { CommandRefusal } from "../refusals.ts";
import { memberOption, membersOf } from "./member-options.ts";
import { applyOne } from "./one-row-document.ts";
import { naanOut, showRows } from "./registry-output.ts";

const MEMBERS = {
  authoritative: memberOption("yes-no", "yes|no", "yes: its names are ours to assign; no: they are sent to --redirect"),
  name: memberOption("text", "TEXT", "Name of the organisation behind it"),
  policy: memberOption("text", "TEXT", 'Its policy, such as "NP | NR, OP, CC | 2026"'),
  "policy-url": memberOption("text", "URL", "Where the policy can be read"),
  redirect: memberOption("text", "URL", "Where names of a foreign NAAN are sent: a base URL or a template"),
  minter: memberOption("text", "URL", "Where names of a foreign NAAN are minted"),
};

const change = (verb: "add" | "set") =>
  command({
    name: `naan ${verb}`,
    summary: verb === "add" ? "Register a NAAN" : "Change a NAAN",
    words: ["NAAN"],
    options: MEMBERS,
    examples: [
      verb === "add"
        ? 'arkstone naan add 12345 --name "Example Library" --policy "NP | NR, OP, CC | 2026"'
        : "arkstone naan set 88888 --redirect https://delegate.example.org",
    ],
    run: (context, given, [naan = ""]) =>
      applyOne(context, verb, async ({ store }) => ({
        section: "naans",
        label: `NAAN ${naan}`,
        exists: (await store.naans()).some((row) => row.naan === parseNaan(naan)),
        row: { naan, ...membersOf(MEMBERS, given) },
      })),
  });

const list = command({
  name: "naan list",
  summary: "List the NAANs",
  examples: ["arkstone naan list", "arkstone naan list --json"],
  run: (context) =>
    withServices(context, async ({ store, clock }) => {
      const rows = (await store.naans()).map((naan) => naanOut(naan, clock.now()));
      showRows(
        context,
        rows,
        ["naan", "authoritative", "name", "policy", "redirect", "hold_until"],
        "No NAAN yet: add one",
      );
    }),
});

const check = command({
  name: "naan check",
  summary: "List the odd records of the NAAN registry file (SVC_NAAN_REGISTRY)",
  words: ["[FILE]"],
  details:
    "Odd records never stop a resolver: they are left out, or taken with a correction. This command lists which and why.",
  examples: ["SVC_NAAN_REGISTRY=naan_records.json arkstone naan check", "arkstone naan check naan_records.json"],
  async run(context, _given, [named]) {
    const file = named ?? readConfig(context.env).naanRegistry;
    if (file === null) throw new CommandRefusal("No registry file is set", "Set SVC_NAAN_REGISTRY, or name the file");
    const { naans, shoulders, problems } = readRegistry(readRegistryFile(file));
    const shoulderCount = [...shoulders.values()].reduce((sum, rows) => sum + rows.length, 0);
    if (context.json) {
      context.out(jsonText({ file, naans: naans.size, shoulders: shoulderCount, problems }));
      return;
    }
    showRows(context, problems, ["record", "problem"], "No odd records.");
    context.err(
      `${plural(naans.size, "NAAN")}, ${plural(shoulderCount, "shoulder")}, ${plural(problems.length, "odd record")}\n`,
    );
  },
});

function readRegistryFile(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw new CommandRefusal(`Cannot read the registry ${file}: ${errorMessage(error)}`);
  }
}

export const naanCommands: readonly Command[] = [change("add"), change("set"), list, check];
