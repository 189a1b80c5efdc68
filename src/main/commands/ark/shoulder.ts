// `arkstone shoulder`: the namespaces names are minted in (A6). A shoulder is never deleted; retiring it is final.
import { SHOULDER_STATUSES } from "../../../ark/record.ts";
import { type Command, command } from "../command.ts";
import { type Services, withServices } from "../context.ts";
import { memberOption, membersOf } from "./member-options.ts";
import { applyOne, shoulderPath } from "./one-row-document.ts";
import { shoulderOut, showRows } from "./registry-output.ts";

const MEMBERS = {
  organisation: memberOption("text", "NAME", "The organisation of the same NAAN it belongs to"),
  status: memberOption("text", "STATUS", `One of ${SHOULDER_STATUSES.join(", ")} (default active)`),
  minter: memberOption("text", "URL", "Where names of a delegated shoulder are minted"),
  about: memberOption("text", "URL", "A page about it, for people"),
  redirect: memberOption("text", "URL", "Where its unknown names are sent: a base URL or a template"),
  checked: memberOption("yes-no", "yes|no", "Whether its names end in a check character (default yes)"),
  "import-only": memberOption(
    "yes-no",
    "yes|no",
    "yes: it takes imports only and may be any string of name characters",
  ),
};

function finder(text: string, members: Readonly<Record<string, unknown>>) {
  return async (services: Services) => {
    const path = await shoulderPath(services, text);
    const stored = await services.store.shoulders();
    return {
      section: "shoulders",
      label: `shoulder ${path.naan}/${path.shoulder}`,
      exists: stored.some((row) => row.naan === path.naan && row.shoulder === path.shoulder),
      row: { ...path, ...members },
    } as const;
  };
}

const change = (verb: "add" | "set") =>
  command({
    name: `shoulder ${verb}`,
    summary:
      verb === "add" ? "Register a shoulder" : "Change a shoulder, or move it to another organisation of its NAAN",
    words: ["NAAN/SHOULDER"],
    options: MEMBERS,
    examples: [
      verb === "add"
        ? "arkstone shoulder add 99999/b1 --organisation library"
        : "arkstone shoulder set 99999/b1 --status delegated --minter https://mint.example.org/api/mint",
    ],
    run: (context, given, [text = ""]) => applyOne(context, verb, finder(text, membersOf(MEMBERS, given))),
  });

const retire = command({
  name: "shoulder retire",
  summary: "Retire a shoulder for ever: it takes no new names, those it has stay",
  words: ["NAAN/SHOULDER"],
  examples: ["arkstone shoulder retire 99999/b1"],
  run: (context, _given, [text = ""]) => applyOne(context, "set", finder(text, { status: "retired" })),
});

const list = command({
  name: "shoulder list",
  summary: "List the shoulders",
  options: { naan: { type: "string", value: "NAAN", help: "Only those of this NAAN" } },
  examples: ["arkstone shoulder list", "arkstone shoulder list --naan 99999 --json"],
  run: (context, given) =>
    withServices(context, async ({ store, clock }) => {
      const organisations = await store.organisations();
      const shoulders = await store.shoulders(given.naan === undefined ? undefined : [given.naan]);
      const rows = shoulders.map((shoulder) => shoulderOut(shoulder, organisations, clock.now()));
      const columns = [
        "naan",
        "shoulder",
        "organisation",
        "status",
        "checked",
        "import_only",
        "minter",
        "hold_until",
      ] as const;
      showRows(context, rows, columns, "No shoulder yet");
    }),
});

export const shoulderCommands: readonly Command[] = [change("add"), change("set"), list, retire];
