// The search index in Typesense (R28, R34): the contract, against the substitute, and against a real server where
// SVC_TYPESENSE_URL names one.
import { randomBytes } from "node:crypto";
import { jsonLog } from "../../../src/adapters/log.ts";
import { typesenseIndex } from "../../../src/adapters/typesense-index.ts";
import { collectionsInMemory } from "../../support/typesense/known-collections.ts";
import { clearedOf, REAL_TYPESENSE } from "../../support/typesense/real-server.ts";
import { standIn } from "../../support/typesense/substitute.ts";
import { type EnginePlace, indexContract } from "./index-contract.ts";

const log = jsonLog("error", () => {});
const ADMIN = "key-of-the-substitute";

async function atStandIn(): Promise<EnginePlace> {
  const server = await standIn({ adminKey: ADMIN });
  return {
    open: typesenseIndex({ urls: [server.url], apiKey: ADMIN, name: "items", collections: collectionsInMemory(), log }),
    async dispose() {
      await server.stop();
      if (server.unseen.length > 0) throw new Error(server.unseen.join("\n"));
    },
  };
}

indexContract("The adapter for Typesense", atStandIn);

const real = REAL_TYPESENSE;
if (real !== null) {
  const make = async (): Promise<EnginePlace> => {
    const name = `contract${randomBytes(6).toString("hex")}`;
    return {
      open: typesenseIndex({ ...real, name, collections: collectionsInMemory(), log }),
      dispose: () => clearedOf(real, name),
    };
  };
  indexContract("A real Typesense", make, 6);
} else console.error("SVC_TYPESENSE_URL is not set: the contract is not asked of a real Typesense");
