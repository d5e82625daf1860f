import { bindAuthor, type Deps, type RecordingTable } from "../../core/deps.ts";
import { type Via, vias } from "../../core/domain/workspace/audit.ts";
import type { Caller, Session } from "./auth.ts";
import type { HttpRequest } from "./request.ts";

/** The header that names the calling program for the audit trail. The header is unverified; the token identifies the caller. */
const HEADER = "x-via";

/** Returns the program that the request's header names; `api` if the header is missing or names no known caller of the API. */
const readCallingProgram = ({ headers }: Pick<HttpRequest, "headers">): Via => {
  const said = headers.get(HEADER);
  // Operators' commands do not call the API, so the header of a request cannot name `operator`.
  return vias.find((via) => via === said && via !== "operator") ?? "api";
};

/** Returns dependencies that record changes of the configuration with the caller as author. */
export const createDepsForCaller = <Some extends Pick<Deps, "table">>(
  deps: Some,
  request: Pick<HttpRequest, "headers" | "requestId"> & { caller: Session | Caller },
): Some & { table: RecordingTable } =>
  bindAuthor(deps, { userId: request.caller.userId, via: readCallingProgram(request), requestId: request.requestId });
