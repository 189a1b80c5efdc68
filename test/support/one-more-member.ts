// A program in which the declared members of a community are one more, `contact`, before anything is made of them. It
// prints what a client, a tool, the database and the interface description know of it.
import process from "node:process";
import { COMMUNITY_DETAILS } from "../../src/repository/store/community-details.ts";
import { optional, text } from "../../src/shared/fields.ts";
import type { Json } from "../../src/shared/json/json.ts";
import { isJsonObject } from "../../src/shared/json/read.ts";

Object.assign(COMMUNITY_DETAILS, { contact: optional(text({ min: 1, max: 80 })) });
const { repositoryWorld } = await import("./world/repository.ts");
const { toolCalls } = await import("./tool-calls.ts");
const { generateDocuments } = await import("../../src/main/openapi/openapi.ts");
const { clientTypes } = await import("../../src/main/openapi/client-types.ts");

const world = await repositoryWorld();
const ask = async (method: string, path: string, body?: object) => {
  const given = body === undefined ? {} : { body: JSON.stringify(body) };
  const headers = { "content-type": "application/json" };
  return (await world.ask("manager", method, `/api/communities${path}`, { headers, ...given })).json;
};
const body = (contact: unknown) => ({ slug: "maps", metadata: { title: "Maps", contact }, access: {} });

const refused = await ask("POST", "", body("x".repeat(81)));
const made = await ask("POST", "", body("Room 1"));
const changed = await ask("PUT", "/maps", body("Room 2"));
const read = await ask("GET", "/maps");
const calls = toolCalls(world);
const args = { slug: "tides", title: "Tides", contact: "Room 3" };
const byTool = (await calls.call("manager", "create_community", args)).structuredContent;
const ofTool = (await calls.call("manager", "get_community", { community: "tides" })).structuredContent;
const stored = await world.store.communities.community("tides");
const description: Json = JSON.parse((await generateDocuments())["openapi-repository.json"]);
const types = isJsonObject(description) ? clientTypes(description) : "";
const metadataOf = (answer: Readonly<Record<string, unknown>>) => answer.metadata;
process.stdout.write(
  JSON.stringify({
    refused: refused.errors,
    answers: [made, changed, read].map(metadataOf),
    tools: [byTool.slug, ofTool.contact],
    stored: stored?.details,
    client: types.split("\n").filter((line) => line.includes("contact?: string")).length,
  }),
);
await world.close();
