// The index tree on an SQLite file.
import { afterAll } from "bun:test";
import { join } from "node:path";
import { temporaryFolder } from "../support/processes.ts";
import { indexTreeContract } from "./index-tree-contract.ts";

const folder = temporaryFolder("index-tree");
afterAll(() => folder.remove());

indexTreeContract("index tree on an SQLite file", async () => ({
  url: `sqlite:${join(folder.path, "tree.db")}`,
  drop: async () => {},
}));
