// `arkstone apply`: NAANs, organisations, shoulders, credentials and holds as one file.
import { errorMessage } from "../../../shared/error-message.ts";
import { parseJson } from "../../../shared/json/read.ts";
import { command } from "../command.ts";
import { type Context, withServices } from "../context.ts";
import { openInput } from "../input-file.ts";
import { CommandRefusal } from "../refusals.ts";
import { applyAndShow } from "./plan-output.ts";

const FILE_MAX_BYTES = 64 * 1024 * 1024;

export const apply = command({
  name: "apply",
  summary: "Bring NAANs, organisations, shoulders, credentials and holds to the state a file describes",
  words: ["FILE"],
  options: {
    keys: { type: "string", value: "OUT.json", help: "Write newly made secrets to this new file (mode 0600)" },
    "dry-run": { type: "boolean", help: "Show what would change, change nothing" },
  },
  details: `
FILE is JSON: {"naans": [...], "organisations": [...], "shoulders": [...], "credentials": [...], "holds": [...]}; - reads it from
standard input. Everything is done in one transaction or, when anything is refused, nothing. What the file does not list stays as it
is; applying it again changes nothing. "api_keys": 1 means at least one active key. Without --keys new secrets are printed once.`,
  examples: ["arkstone apply service.json --dry-run", "arkstone apply service.json --keys new-keys.json"],
  async run(context, given, [file = ""]) {
    const document = await readJson(context, file);
    await withServices(context, (services) =>
      applyAndShow(context, services, document, { keys: given.keys, dryRun: given["dry-run"] }),
    );
  },
});

async function readJson(context: Context, path: string): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of openInput(context, path)) {
    size += chunk.length;
    if (size > FILE_MAX_BYTES) throw new CommandRefusal(`${path} is larger than ${FILE_MAX_BYTES} bytes`);
    chunks.push(chunk);
  }
  try {
    return parseJson(new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks)));
  } catch (error) {
    throw new CommandRefusal(`${path} is not JSON: ${errorMessage(error)}`, "Nothing was changed");
  }
}
