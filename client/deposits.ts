// A package sent by SWORD v3.
import type { RepositoryClient } from "./calls.ts";
import type { Operations } from "./generated/repository.ts";
import type { CallOptions } from "./transport.ts";

export type DepositInput = {
  /** A ZIP. */
  readonly file: Blob;
  readonly fileName?: string;
  /** `SimpleZip`, `SWORDBagIt`, or a whole URI. */
  readonly packaging: string;
  /** Number of the item that is replaced. */
  readonly replaces?: string | number;
  readonly onBehalfOf?: string;
  /** With `replaces`: only while the item is at this revision. */
  readonly ifMatch?: string;
};
export type StatusDocument = Operations["depositItem"]["answer"];

const PACKAGING_NS = "http://purl.org/net/sword/3.0/package/";

/** Deposits a package. It is registered once, however often it is sent: all attempts have one Idempotency-Key. */
export function deposit(client: RepositoryClient, input: DepositInput, options?: CallOptions): Promise<StatusDocument> {
  const { file, fileName = "package.zip", packaging, replaces, onBehalfOf, ifMatch } = input;
  const headers = {
    "Content-Disposition": `attachment; filename=${fileName.replace(/[^\w.-]+/g, "_")}`,
    Packaging: packaging.includes(":") ? packaging : `${PACKAGING_NS}${packaging}`,
    "Idempotency-Key": crypto.randomUUID(),
    ...(onBehalfOf === undefined ? {} : { "On-Behalf-Of": onBehalfOf }),
    ...(ifMatch === undefined ? {} : { "If-Match": ifMatch }),
  };
  const body = file.type === "application/zip" ? file : file.slice(0, file.size, "application/zip");
  return replaces === undefined
    ? client.depositItem({ headers, body }, { timeoutMs: 0, ...options })
    : client.replaceItem({ path: { recid: replaces }, headers, body }, { timeoutMs: 0, ...options });
}
