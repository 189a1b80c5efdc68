// A draft with a file, published, found, harvested; and a name. Runs on Bun, Deno and Node.js.
import { harvest, namesClient, RefusalError, repositoryClient, uploadFile } from "@arkstone/client";

declare const process: { readonly env: Readonly<Record<string, string | undefined>> };
const { REPOSITORY_URL = "http://127.0.0.1:8002", REPOSITORY_TOKEN = "" } = process.env;
const { MINTER_URL = "http://127.0.0.1:8000", MINTER_TOKEN = "" } = process.env;

const repository = repositoryClient({ url: REPOSITORY_URL, token: REPOSITORY_TOKEN });
const minter = namesClient({ url: MINTER_URL, token: MINTER_TOKEN });

const title = `Tides of the north, ${crypto.randomUUID()}`;
const draft = await repository.createRecordDraft({
  body: {
    files: { enabled: true },
    metadata: {
      title,
      publication_date: "2026-05-06",
      publisher: "Example",
      resource_type: { id: "dataset" },
      creators: [{ person_or_org: { type: "personal", family_name: "Doe", given_name: "Ada" } }],
    },
  },
});
const upload = uploadFile(repository, {
  id: draft.id,
  key: "data/tides.csv",
  file: new Blob(["day,height\n1,2.5\n"], { type: "text/csv" }),
  onProgress: ({ sentBytes, totalBytes }) => console.error(`${sentBytes} of ${totalBytes} bytes`),
});
const file = await upload.done;
console.log(`uploaded ${file.key} ${file.checksum}`);
const published = await repository.publishRecordDraft({ path: { id: draft.id } });
console.log(`published ${published.id}`);

for await (const record of repository.items("searchPublishedRecords", { query: { q: `"${title}"`, size: 10 } })) {
  console.log(`found ${record.id}`);
}

for await (const xml of harvest(repository, { verb: "ListIdentifiers", metadataPrefix: "oai_dc" })) {
  for (const [, identifier] of xml.matchAll(/<identifier>([^<]+)</g)) console.log(`harvested ${identifier}`);
}

const minted = await minter.mint({ body: { title, url: `${REPOSITORY_URL}/records/${published.id}` } });
console.log(`minted ${minted.ark}`);
try {
  await minter.mint({ body: { url: "not an address" } });
} catch (error) {
  if (!(error instanceof RefusalError)) throw error;
  for (const { field, messages } of error.errors) console.log(`refused ${field}: ${messages.join("; ")}`);
}
