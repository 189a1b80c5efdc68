// URLs of PostgreSQL that name one server or several (decisions, "Settings"):
// postgres://user@host1:5432,host2:5433/database.

/** True for a URL of PostgreSQL. */
export function isPostgresUrl(url: string): boolean {
  return /^postgres(?:ql)?:\/\//i.test(url);
}

/** One URL for each server a URL of PostgreSQL names, in its order; null where it is none. */
export function postgresUrls(url: string): readonly string[] | null {
  const [, scheme = "", authority = "", rest = ""] = /^(postgres(?:ql)?:\/\/)([^/?#]*)(.*)$/is.exec(url) ?? [];
  if (scheme === "") return null;
  const at = authority.lastIndexOf("@") + 1;
  const urls = authority
    .slice(at)
    .split(",")
    .map((host) => `${scheme}${authority.slice(0, at)}${host}${rest}`);
  const usable =
    urls.every((each) => URL.canParse(each)) && (urls.length === 1 || !/(?:^|,)(?:,|$)/.test(authority.slice(at)));
  return usable ? urls : null;
}
