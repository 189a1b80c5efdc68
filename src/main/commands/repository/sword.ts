// `arkstone sword-client | sword-format`: the settings of the deposit interface per client and per metadata format
// (R12, R14, R17).
import { CLIENT_SETTING, FORMAT_SETTING } from "../../../model/items/deposit-settings.ts";
import { type Command, command } from "../command.ts";
import { CommandRefusal } from "../refusals.ts";
import { listCommand, showRecord } from "./records.ts";
import { OPERATOR, type RepositoryServices, withRepository } from "./repository-context.ts";
import { membersFrom, optionsOf } from "./typed.ts";

const OF_FORMATS = optionsOf(FORMAT_SETTING);

/** The client that a token's visible part identifies, or the id as it was typed. */
async function clientIdOf({ store }: RepositoryServices, text: string): Promise<string> {
  const key = /^svc_([a-z0-9]+)(?:_|$)/.exec(text)?.[1] ?? text;
  return (await store.accounts.secret(key))?.client.clientId ?? text;
}

async function mappingId({ admin }: RepositoryServices, text: string | undefined) {
  if (text === undefined) return undefined;
  const found = (await admin.mappings.list()).find(({ id, name }) => String(id) === text || name === text);
  if (found === undefined)
    throw new CommandRefusal(`There is no mapping "${text}"`, '"arkstone mapping list" shows what there is');
  return String(found.id);
}

const setClient = command({
  name: "sword-client set",
  summary: "Set or change the client record of a token: how what it deposits is registered",
  words: ["CLIENT_ID"],
  options: { ...OF_FORMATS, ...optionsOf(CLIENT_SETTING) },
  details: `
CLIENT_ID is what "arkstone token list" shows; the key of a token will do. Without a record a personal token deposits by the settings of the
formats, linked data (RO-Crate, SWORDBagIt) with the mapping ro-crate-default. A program (--kind oauth) without a record, or a token whose record
is not active, is refused linked data with "No SWORD API setting found for client ID that you are using."
A new record begins with direct registration and ro-crate-default.`,
  examples: [
    "arkstone sword-client set personal-4x7bq2k9d0zw5tnc --mapping sword-default --default-index 1",
    "arkstone sword-client set personal-4x7bq2k9d0zw5tnc --registration workflow --workflow 1",
  ],
  run: (context, given, [client = ""]) =>
    withRepository(context, async (services) => {
      const id = await clientIdOf(services, client);
      const isNew = (await services.store.settings.clientSetting(id)) === null;
      const mapping = await mappingId(services, given.mapping ?? (isNew ? "ro-crate-default" : undefined));
      const members = membersFrom(CLIENT_SETTING, { ...given, mapping });
      showRecord(context, await services.admin.swordClients.update(OPERATOR, id, members));
    }),
});

const listClients = listCommand(
  "sword-client list",
  "List the client records",
  ({ admin }) => admin.swordClients.list(),
  ["client_id", "active", "registration_type_id", "mapping_id", "workflow_id", "default_index"],
  'No client record yet: see "arkstone sword-client set --help"',
);

const showClient = command({
  name: "sword-client show",
  summary: "Show the client record of a token",
  words: ["CLIENT_ID"],
  examples: ["arkstone sword-client show personal-4x7bq2k9d0zw5tnc"],
  run: (context, _given, [client = ""]) =>
    withRepository(context, async (services) =>
      showRecord(context, await services.admin.swordClients.read(await clientIdOf(services, client))),
    ),
});

const setFormat = command({
  name: "sword-format set",
  summary: "Change how one metadata format is taken where no client record speaks",
  words: ["FORMAT"],
  options: OF_FORMATS,
  details: "FORMAT is tsv-csv, xml or json. XML cannot be registered directly: it has nowhere to name an index.",
  examples: ["arkstone sword-format set xml --active no", "arkstone sword-format set tsv-csv --registration workflow"],
  run: (context, given, [format = ""]) =>
    withRepository(context, async ({ admin }) => {
      showRecord(context, await admin.swordFormats.update(OPERATOR, format, membersFrom(FORMAT_SETTING, given)));
    }),
});

const listFormats = listCommand(
  "sword-format list",
  "Show how each metadata format is taken",
  ({ admin }) => admin.swordFormats.list(),
  ["format", "active", "registration_type_id", "workflow_id", "duplicate_check"],
  "No format",
);

export const swordCommands: readonly Command[] = [setClient, listClients, showClient, setFormat, listFormats];
