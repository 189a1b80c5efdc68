// An author as the interface shows it (specification 2, "Author resource"; R20): the law's members, with the ids that name it.
import type { Author } from "../../model/agents/author.ts";

export function authorAnswer({ id, uuid, content, communities }: Author) {
  const { emailInfo, authorIdInfo, authorNameInfo, affiliationInfo } = content;
  return { id, uuid, emailInfo, authorIdInfo, authorNameInfo, affiliationInfo, communityIds: communities };
}
