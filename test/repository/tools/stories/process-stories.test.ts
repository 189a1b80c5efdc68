// A story of programs that start the tool server as their own process (R30; S3.7.229), next to the repository that
// other people use.
import { describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { METADATA } from "../../../support/record-calls.ts";
import { idIn, other, registered, stories } from "../../../support/tool-stories.ts";

const TIDES = { ...METADATA, title: "Tides of a desk" };

describe("R30 stories of a process", () => {
  const story = stories();

  test(
    "S3.7.229: files of a desk are deposited by a process next to the repository, published, and read by everybody",
    story.run(
      "process",
      [
        async ({ folder }) => {
          mkdirSync(join(folder, "import"));
          writeFileSync(join(folder, "import", "tides.csv"), "day,metres\n1,2.4\n");
          writeFileSync(join(folder, "secret.txt"), "secret");
        },
        registered("create_record", { metadata: TIDES, files: true }).gives({ status: "draft" }).as("draft"),
        registered("add_file", { recid: "$draft.id", key: "s.txt", source_path: "../secret.txt" }).refuses({
          status: 403,
        }),
        registered("add_file", { recid: "$draft.id", key: "tides.csv", source_path: "tides.csv" }).gives({ size: 17 }),
        registered("add_file", { recid: "$draft.id", key: "a.txt", text: "one" }).gives({ size: 3 }),
        registered("delete_file", { recid: "$draft.id", filename: "a.txt" }).gives({ deleted: "a.txt" }),
        other("publish_record", { recid: "$draft.id" }).refuses({ status: 404 }),
        registered("publish_record", { recid: "$draft.id" })
          .gives({ status: "published", files: { count: 1 } })
          .as("record"),
        other("get_record", { recid: "$record.pids.ark" }).gives({ id: "$draft.id", title: TIDES.title }),
      ],
      async (world, kept) => {
        // The process has the time of the day.
        world.time.now = new Date().toISOString();
        const id = idIn(kept, "draft");
        const { status, text } = await world.ask(null, "GET", `/api/records/${id}/files/tides.csv/content`);
        expect([status, text]).toEqual([200, "day,metres\n1,2.4\n"]);
        expect((await world.ask(null, "GET", `/records/${id}`)).status).toBe(200);
        expect((await world.status("registered", id)).status).toBe(200);
      },
    ),
  );
});
