import * as v from "valibot";
import type { Deps } from "../../core/deps.ts";
import { badApiKey, hashApiKey, parseApiKey } from "../../core/domain/people/api-key.ts";
import { isId } from "../../core/domain/basics/ids.ts";
import { nearest } from "../../core/domain/basics/nearest.ts";
import { invalid, Refusal } from "../../core/domain/basics/refusal.ts";
import { readControlForKey } from "../../core/store/control.ts";
import { readMember } from "../../core/store/members.ts";
import type { Step } from "./endpoint.ts";
import type { HttpRequest } from "./request.ts";

const SessionClaims = v.object({
  /** Access tokens open the API. An id token only says who somebody is. */
  token_use: v.literal("access"),
  sub: v.pipe(v.string(), v.nonEmpty()),
  username: v.optional(v.string()),
  name: v.optional(v.string()),
  email: v.optional(v.string()),
});

/** The person that a session token speaks for. Name and email are set as far as the token contains them. */
export type Session = { userId: string; name: string; email: string };

const noSession = (): Refusal =>
  new Refusal("unauthenticated", "A valid session token is needed: Authorization: Bearer <access token>.", {
    challenge: "Bearer",
  });

/**
 * The caller of an endpoint for people. The authorizer has checked the token's signature and times; the other claims
 * are checked here. Cognito's access tokens carry no name, so the username serves as name, and as email if it is one.
 */
const sessionOf = ({ claims }: HttpRequest): Session => {
  const result = v.safeParse(SessionClaims, Object.fromEntries(claims));
  if (!result.success) throw noSession();
  const { sub, username, name, email } = result.output;
  const userId = `usr_${sub.replaceAll("-", "")}`;
  if (!isId("usr", userId)) throw noSession();
  return {
    userId,
    name: name ?? username ?? userId,
    email: email ?? (username?.includes("@") === true ? username : ""),
  };
};

/**
 * Refuses unknown query parameters, because the answer would seem to take them into account. Only GET is checked: other
 * methods read no query, and `?_method=` and the like are ignored.
 */
const refuseOtherQueries = ({ method, query }: HttpRequest, known: readonly string[]): void => {
  if (method !== "GET") return;
  const faults = [...query.keys()]
    .filter((name) => !known.includes(name))
    .map((field) => {
      const meant = nearest(field, known);
      const right = known.length === 0 ? "there are none here" : `there are ${known.join(", ")}`;
      const message = `${field} is no query parameter: ${meant === undefined ? right : `did you mean ${meant}?`}`;
      return { field, code: "unknown_field", message: message.endsWith("?") ? message : `${message}.` };
    });
  if (faults.length > 0) throw invalid(faults);
};

/** Authenticates a person by the session token. `query`: the allowed query parameters. */
export const session = (...query: readonly string[]): Step<{ caller: Session }> => ({
  before: ({ event }) => {
    event.caller = sessionOf(event);
    refuseOtherQueries(event, query);
  },
});

/** Does the same, and authorizes members of the workspace in the path with one consistent read. */
export const member = (
  deps: Pick<Deps, "table">,
  ...query: readonly string[]
): Step<{ caller: Session; workspaceId: string }> => ({
  before: async ({ event }) => {
    const session = sessionOf(event);
    const workspaceId = event.path.get("workspaceId") ?? "";
    const found = isId("ws", workspaceId) ? await readMember(deps, workspaceId, session.userId) : undefined;
    if (found === undefined) throw new Refusal("not_a_member", "You are not a member of this workspace.");
    // In a workspace, a person's name and email are those that the workspace knows.
    event.caller = { ...session, name: found.name, email: found.email };
    event.workspaceId = workspaceId;
    refuseOtherQueries(event, query);
  },
});

/** The workspace that an API key names. The table decides later whether the key is valid. */
export const keyOfSender = async (text: string): Promise<{ workspaceId: string; hash: Uint8Array }> => {
  const key = parseApiKey(text);
  if (key === undefined) throw badApiKey();
  return { workspaceId: key.workspaceId, hash: await hashApiKey(key.text) };
};

/** The API key of a request. */
export const readApiKey = (request: HttpRequest): Promise<{ workspaceId: string; hash: Uint8Array }> =>
  // A header that was sent twice arrives joined by a comma, which no key holds.
  keyOfSender(request.headers.get("x-api-key") ?? "");

const BASIC = /^basic +([a-z0-9+/=]+)$/i;
const BEARER = /^(?:bearer|geniekey) +(\S+)$/i;

/**
 * The API key from a tool, which may only be able to send it as Bearer, as Opsgenie's GenieKey or as Basic password.
 */
export const readKeyText = ({ headers }: HttpRequest): string | undefined => {
  const own = headers.get("x-api-key");
  if (own !== undefined) return own;
  const authorization = headers.get("authorization")?.trim() ?? "";
  const basic = BASIC.exec(authorization)?.[1];
  if (basic === undefined) return BEARER.exec(authorization)?.[1];
  const pair = Buffer.from(basic, "base64").toString("utf8");
  return pair.slice(pair.indexOf(":") + 1);
};

/**
 * Reads an input and reveals its faults only to callers with a valid key. Anybody else gets a 401, whatever was sent.
 */
export const refusedAfterProof = async <Input>(
  deps: Pick<Deps, "table">,
  key: { workspaceId: string; hash: Uint8Array },
  read: () => Input,
): Promise<Input> => {
  try {
    return read();
  } catch (error) {
    if ((await readControlForKey(deps, key.workspaceId, key.hash)) === undefined) throw badApiKey();
    throw error;
  }
};
