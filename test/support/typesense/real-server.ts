// The real Typesense that receives the same requests as the substitute: SVC_TYPESENSE_URL and SVC_TYPESENSE_API_KEY name
// it in the environment of `check` and of single tests. They are removed from it (bunfig.toml, check.ts), for the
// processes that other tests start would all search there.
import process from "node:process";

const KEPT = "ARKSTONE_TEST_TYPESENSE";

const { SVC_TYPESENSE_URL: url = "", SVC_TYPESENSE_API_KEY: apiKey = "" } = process.env;
if (url !== "") process.env[KEPT] = JSON.stringify({ urls: url.split(","), apiKey });
for (const name of ["SVC_TYPESENSE_URL", "SVC_TYPESENSE_API_KEY"]) delete process.env[name];

type RealServer = { readonly urls: readonly string[]; readonly apiKey: string };
const kept = process.env[KEPT] ?? "";

/** Null: none was named. */
export const REAL_TYPESENSE: RealServer | null = kept === "" ? null : JSON.parse(kept);

/** What a test left there: collections whose names begin so, and the alias. */
export async function clearedOf({ urls, apiKey }: RealServer, name: string): Promise<void> {
  const ask = (method: string, path: string): Promise<Response> =>
    fetch(`${urls[0]}${path}`, { method, headers: { "x-typesense-api-key": apiKey } });
  const collections: readonly { readonly name: string }[] = await (await ask("GET", "/collections")).json();
  for (const each of collections) if (each.name.startsWith(name)) await ask("DELETE", `/collections/${each.name}`);
  await ask("DELETE", `/aliases/${name}`);
}
