import * as v from "valibot";
import type { Deps } from "../../core/deps.ts";
import { hashApiKey, parseApiKey } from "../../core/domain/people/api-key.ts";
import { isId } from "../../core/domain/basics/ids.ts";
import type { Member } from "../../core/domain/people/member.ts";
import { Refusal } from "../../core/domain/basics/refusal.ts";
import { readMember } from "../../core/store/members.ts";
import type { HttpRequest } from "./request.ts";

const SessionClaims = v.object({
  /** Access tokens open the API; an id token says who somebody is, and nothing else. */
  token_use: v.literal("access"),
  sub: v.pipe(v.string(), v.nonEmpty()),
  username: v.optional(v.string()),
  name: v.optional(v.string()),
  email: v.optional(v.string()),
});

/** Whom a session token speaks for. Name and email as far as the token tells them. */
export type Session = { userId: string; name: string; email: string };

const noSession = (): Refusal =>
  new Refusal("unauthenticated", "A valid session token is needed: Authorization: Bearer <access token>.", {
    headers: { "WWW-Authenticate": "Bearer" },
  });

/**
 * The caller of an endpoint for people. The authorizer has checked the token's signature and times; what it does not
 * look at is checked here. Cognito's access tokens carry no name: then the username stands for it, and for the email
 * when it is one.
 */
export const requireSession = (request: HttpRequest): Session => {
  const result = v.safeParse(SessionClaims, Object.fromEntries(request.claims));
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

/** The refusal of a key that is missing, mistyped, deleted or unknown: the same for all. */
export const badApiKey = (): Refusal =>
  new Refusal("unauthenticated", "A valid API key is needed, once, in the header X-Api-Key.", {
    headers: { "WWW-Authenticate": "ApiKey" },
  });

export type Caller = { workspaceId: string; userId: string; member: Member };

/** The caller and the workspace of the path, where the one is a member of the other: one consistent read. */
export const requireMember = async (deps: Pick<Deps, "table">, request: HttpRequest): Promise<Caller> => {
  const { userId } = requireSession(request);
  const workspaceId = request.path.get("workspaceId") ?? "";
  const member = isId("ws", workspaceId) ? await readMember(deps, workspaceId, userId) : undefined;
  if (member === undefined) throw new Refusal("not_a_member", "You are not a member of this workspace.");
  return { workspaceId, userId, member };
};

/** The API key of a request and the workspace that it names; whether it is good, the table knows. */
export const readApiKey = async (request: HttpRequest): Promise<{ workspaceId: string; hash: Uint8Array }> => {
  // A header that was sent twice arrives joined by a comma, which no key holds.
  const key = parseApiKey(request.headers.get("x-api-key") ?? "");
  if (key === undefined) throw badApiKey();
  return { workspaceId: key.workspaceId, hash: await hashApiKey(key.text) };
};
