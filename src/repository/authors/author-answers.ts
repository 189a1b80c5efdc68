// An author in answers (specification 2, "Author resource"; R20): the members of the specification, and the author's
// ids.
import type { Author } from "../../model/agents/author.ts";

export function authorAnswer({ id, uuid, content, communities }: Author) {
  const { emailInfo, authorIdInfo, authorNameInfo, affiliationInfo } = content;
  return { id, uuid, emailInfo, authorIdInfo, authorNameInfo, affiliationInfo, communityIds: communities };
}
