// `arkstone org`: the organisations of a NAAN, with their default shoulder, commitment and quota (A21, A27).
import { organisationRow } from "../../../ark/provisioning/described-state.ts";
import { COMMITMENT_LEVELS } from "../../../ark/record.ts";
import { type Command, command } from "../command.ts";
import { withServices } from "../context.ts";
import { memberOption, membersOf } from "./member-options.ts";
import { applyOne } from "./one-row-document.ts";
import { showRows } from "./registry-output.ts";

const MEMBERS = {
  "default-shoulder": memberOption("text-or-none", "SHOULDER", "Used by mints that name none; none clears it"),
  "commitment-level": memberOption("text", "LEVEL", `One of ${COMMITMENT_LEVELS.join(", ")}`),
  "quota-per-day": memberOption("number-or-none", "N", "New names in any 24 hours; none lifts the limit"),
};

const NAMED = ["NAAN", "NAME"] as const;

function finder(naan: string, name: string, members: Readonly<Record<string, unknown>>) {
  return async ({ store }: Parameters<Parameters<typeof applyOne>[2]>[0]) =>
    ({
      section: "organisations",
      label: `organisation ${naan}/${name}`,
      exists: (await store.organisations()).some((row) => row.naan === naan && row.name === name),
      row: { naan, name, ...members },
    }) as const;
}

const change = (verb: "add" | "set") =>
  command({
    name: `org ${verb}`,
    summary: verb === "add" ? "Register an organisation" : "Change an organisation",
    words: NAMED,
    options: MEMBERS,
    examples: [
      verb === "add"
        ? "arkstone org add 99999 library --quota-per-day 5000"
        : "arkstone org set 99999 library --default-shoulder b1",
    ],
    run: (context, given, [naan = "", name = ""]) =>
      applyOne(context, verb, finder(naan, name, membersOf(MEMBERS, given))),
  });

const activity = (verb: "disable" | "enable") =>
  command({
    name: `org ${verb}`,
    summary:
      verb === "disable"
        ? "Stop every credential of an organisation at once"
        : "Let a disabled organisation work again",
    words: NAMED,
    examples: [`arkstone org ${verb} 99999 library`],
    run: (context, _given, [naan = "", name = ""]) =>
      applyOne(context, "set", finder(naan, name, { active: verb === "enable" })),
  });

const list = command({
  name: "org list",
  summary: "List the organisations",
  options: { naan: { type: "string", value: "NAAN", help: "Only those of this NAAN" } },
  examples: ["arkstone org list", "arkstone org list --naan 99999 --json"],
  run: (context, given) =>
    withServices(context, async ({ store }) => {
      const rows = (await store.organisations())
        .filter((organisation) => given.naan === undefined || organisation.naan === given.naan)
        .map(organisationRow);
      const columns = ["naan", "name", "default_shoulder", "commitment_level", "quota_per_day", "active"] as const;
      showRows(context, rows, columns, "No organisation yet");
    }),
});

export const orgCommands: readonly Command[] = [
  change("add"),
  change("set"),
  list,
  activity("disable"),
  activity("enable"),
];
