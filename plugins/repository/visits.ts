// What of a request and its answer counts as a view or a download (R39).
import type { Visit } from "../../src/repository/statistics/counting.ts";
import { contextOf } from "../http/request-context.ts";

const PURPOSES = ["purpose", "x-purpose", "sec-purpose", "x-moz"] as const;

export function visitOf(request: Request, response: Response): Visit {
  const { method, headers } = request;
  const range = /^bytes (\d+)-/.exec(response.headers.get("content-range") ?? "")?.[1];
  return {
    method,
    status: response.status,
    address: contextOf(request).address,
    userAgent: headers.get("user-agent"),
    purpose: PURPOSES.map((name) => headers.get(name) ?? "").join(" "),
    firstByte: Number(range ?? 0),
  };
}
