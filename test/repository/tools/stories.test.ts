// What a librarian's assistant really does (R30; S3.7.201 to S3.7.230): stories of several calls over both transports, each looked at afterwards through
// another door.
import { afterAll, beforeAll, describe, test } from "bun:test";
import { type RepositoryWorld, repositoryWorld } from "../../support/repository-world.ts";
import { stdioTools } from "../../support/stdio-tools.ts";
import { toolCalls } from "../../support/tool-calls.ts";
import { onStdio, tell } from "../../support/tool-stories.ts";
import { FILE_STORIES } from "./stories/file-stories.ts";
import { RECORD_STORIES } from "./stories/record-stories.ts";
import { REQUEST_STORIES } from "./stories/request-stories.ts";

const STORIES = [...RECORD_STORIES, ...FILE_STORIES, ...REQUEST_STORIES];

describe("S3.7.201 stories of several calls", () => {
  let world: RepositoryWorld;
  let stdio: ReturnType<typeof stdioTools>;
  beforeAll(async () => {
    world = await repositoryWorld();
    stdio = stdioTools(world, world.folder);
  });
  afterAll(async () => {
    await stdio.close();
    await world.close();
  });

  test.each(STORIES.filter(({ over }) => over !== "stdio").map((story) => [story.name, story] as const))(
    "%s, over HTTP",
    async (_, story) => {
      await tell(story, world, toolCalls(world).call, "http");
    },
  );

  test.each(STORIES.filter(({ over }) => over !== "http").map((story) => [story.name, story] as const))(
    "%s, over standard input and output",
    async (_, story) => {
      await tell(story, world, onStdio(stdio.call), "stdio");
    },
  );
});
