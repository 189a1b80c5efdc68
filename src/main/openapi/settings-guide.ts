// The guide to the settings as Markdown, from the table of settings: `arkstone settings --guide` prints it.
import { SETTING_GROUPS } from "../../config.ts";
import type { Setting } from "../../shared/settings/setting-parsers.ts";

/** The name of a group of settings, and the text that a table cannot hold. */
const GROUPS: Readonly<Record<keyof typeof SETTING_GROUPS, { readonly title: string; readonly text: string }>> = {
  listening: {
    title: "Where it listens, and how the public reaches it",
    text: "Behind a front, set `SVC_BASE_URL` to the public address and `SVC_ALLOWED_HOSTS` to the names it may be asked under. `SVC_RAW_URI_HEADER` is believed from everyone: only set it where the front writes that header itself on every request.",
  },
  data: {
    title: "Data",
    text: "Without `SVC_DATABASE_URL` everything is in one SQLite file. Minter and resolvers of one service name the same database; resolvers read `SVC_REPLICA_URL` where it is set.",
  },
  rights: {
    title: "Who may do what",
    text: "`oauth2` needs `SVC_TOKEN_SECRET`; `oidc` needs `SVC_OIDC_ISSUER` and `SVC_OIDC_AUDIENCE`. A resolver needs none of these. The scopes of a token of `oidc` are read from its claims `scope` and `scp` (Okta, Entra ID), each a text or a list: a token that names at least one scope beginning with `ark:` is narrowed to those among the registered scopes of its client; a token that names none has all that are registered. What is registered is never widened.",
  },
  resolution: {
    title: "Resolution",
    text: "",
  },
  limits: {
    title: "Limits",
    text: "See docs/security.md for what each of them is against, and what a front has to do on top.",
  },
  exports: {
    title: "Exports",
    text: "A spreadsheet runs cells that begin with `=`, `+`, `-` or `@`. NDJSON is never guarded: it holds exactly what is stored. `arkstone import` reads an exported table as this setting writes it.",
  },
  repository: {
    title: "The repository",
    text: "Read by `arkstone repository` and by the commands that look after it.",
  },
  watching: {
    title: "Watching it",
    text: "See docs/operations.md for figures, alerts, logs, and the `OTEL_` variables that turn traces on.",
  },
};

const HEAD = `# Settings

Everything is set by environment variables that begin with \`SVC_\`. They are read once, at the start. A value that is not allowed stops the start with one line that names the variable, the value and what is allowed; an unknown \`SVC_\` variable
is a warning with the nearest known name. An empty value counts as the default unless the table states otherwise. \`arkstone settings\` prints every setting as it counts on this machine, secrets masked.
`;

/** All settings by group: variable, default, allowed values, meaning. */
export function settingsGuide(): string {
  const groups = Object.entries<Readonly<Record<string, Setting<unknown>>>>(SETTING_GROUPS);
  return [
    HEAD,
    ...groups.map(([name, settings]) => section(name as keyof typeof GROUPS, Object.values(settings))),
  ].join("\n"); // the groups are those of the table
}

function section(name: keyof typeof GROUPS, settings: readonly Setting<unknown>[]): string {
  const { title, text } = GROUPS[name];
  const rows = settings.map(({ name, fallback, meaning, allowed }) => {
    const cells = [`\`${name}\``, fallback === "" ? "(empty)" : `\`${fallback}\``, allowed, meaning];
    return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  });
  const table = ["| variable | default | allowed | meaning |", "|---|---|---|---|", ...rows].join("\n");
  return `## ${title}\n\n${text === "" ? "" : `${text}\n\n`}${table}\n`;
}
