// Replaced by its owner within the hour: the queries of communities.
import type { CommunityReader, CommunityWriter } from "../../src/ports/repository/communities.ts";
import type { Session } from "../dialect.ts";

export function communityReader(_session: Session): CommunityReader {
  return {} as CommunityReader;
}

export function communityWriter(_session: Session): CommunityWriter {
  return {} as CommunityWriter;
}
