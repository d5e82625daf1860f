import * as v from "valibot";
import type { Deps } from "../../core/deps.ts";
import { refuseApiKey } from "../../core/domain/workspace/api-key.ts";
import { hashApiKey, parseApiKey } from "../../core/domain/workspace/api-key-text.ts";
import { isId, type WorkspaceId } from "../../core/domain/basics/ids.ts";
import type { SourceName } from "../../core/domain/basics/source-name.ts";
import { findNearest } from "../../core/domain/basics/nearest.ts";
import { invalidInput, Refusal, refuseRole } from "../../core/domain/basics/refusal.ts";
import { readControlForKey } from "../../core/store/events/control.ts";
import { DEFAULT_ROLE, type Role } from "../../core/domain/people/role.ts";
import type { Member } from "../../core/domain/people/member.ts";
import type { Operation, QueryParameter } from "../../interface/contract.ts";
import { hasRole, readMember } from "../../core/store/people/read-members.ts";
import type { Middleware } from "./endpoint.ts";
import { explainMissingKey, explainInvalidKey } from "./key-hint.ts";
import type { HttpRequest } from "./request.ts";

const SessionClaims = v.object({
  /** Only access tokens are accepted, because an id token is for the client alone. */
  token_use: v.literal("access"),
  sub: v.pipe(v.string(), v.nonEmpty()),
  client_id: v.optional(v.string()),
});

/** The owner of a session token: a person, or a machine (`mch_...`). Cognito's access tokens contain neither name nor address. */
export type Session = { userId: string };
export type Caller = Pick<Member, "userId" | "name" | "email" | "role">;

const createSessionRefusal = (): Refusal =>
  new Refusal("unauthenticated", "A valid session token is required: Authorization: Bearer <access token>.", {
    challenge: "Bearer",
  });

/** Returns the session from the token's claims. The authorizer has checked the token's signature and times. */
const readSession = ({ claims }: HttpRequest, { forPeople }: Pick<Operation, "forPeople">): Session => {
  const result = v.safeParse(SessionClaims, Object.fromEntries(claims));
  if (!result.success) throw createSessionRefusal();
  const { sub, client_id: client } = result.output;
  // A client's own token has the client as `sub`; a person's token has a UUID.
  const kind = sub === client ? "mch" : "usr";
  const userId = `${kind}_${sub.replaceAll("-", "")}`;
  if (!isId(kind, userId)) throw createSessionRefusal();
  if (kind === "mch" && forPeople === true)
    throw new Refusal("people_only", "Only people can do this. A machine has no devices, shifts or notifications.");
  return { userId };
};

export const readAccessToken = ({ headers }: HttpRequest): string =>
  (headers.get("authorization") ?? "").replace(/^bearer /i, "");

/** Refuses unknown query parameters, because callers would expect an effect. Methods other than GET ignore the query. */
const refuseOtherQueries = ({ method, query }: HttpRequest, allowed: readonly QueryParameter[] = []): void => {
  if (method !== "GET") return;
  const known = allowed.map(({ name }) => name);
  const faults = [...query.keys()]
    .filter((name) => !known.includes(name))
    .map((field) => {
      const meant = findNearest(field, known);
      const right = known.length === 0 ? "this request takes no parameters" : `this request takes ${known.join(", ")}`;
      const message = `Unknown query parameter ${field}: ${meant === undefined ? right : `did you mean ${meant}?`}`;
      return { field, code: "unknown_field" as const, message: message.endsWith("?") ? message : `${message}.` };
    });
  if (faults.length > 0) throw invalidInput(faults);
};

/** Returns a step that requires a session, and refuses unknown query parameters. */
export const authenticatePerson = (
  operation: Pick<Operation, "forPeople" | "query">,
): Middleware<{ caller: Session }> => ({
  before: ({ event }) => {
    event.caller = readSession(event, operation);
    refuseOtherQueries(event, operation.query);
  },
});

/** Throws Refusal `role_required` unless the member has the required role or `isAllowed` returns true. */
export const requireRole = async (
  deps: Pick<Deps, "table">,
  { caller, workspaceId }: { caller: Caller; workspaceId: WorkspaceId },
  required: Role,
  { action = "This", isAllowed = async () => false }: { action?: string; isAllowed?: () => Promise<boolean> } = {},
): Promise<void> => {
  if ((await hasRole(deps, workspaceId, caller, required)) || (await isAllowed())) return;
  throw refuseRole(action, required, caller.role ?? DEFAULT_ROLE);
};

/** Returns a step that requires membership and the operation's role, by one consistent read (two for role owner). */
export const authorizeMember = (
  deps: Pick<Deps, "table">,
  operation: Pick<Operation, "forPeople" | "ofOneself" | "query"> & { role: Role },
): Middleware<{ caller: Caller; workspaceId: WorkspaceId }> => ({
  before: async ({ event }) => {
    const { role, ofOneself } = operation;
    const session = readSession(event, operation);
    const workspaceId = event.path.get("workspaceId") ?? "";
    const refusal = new Refusal("not_a_member", "You are not a member of this workspace.");
    if (!isId("ws", workspaceId)) throw refusal;
    const found = await readMember(deps, workspaceId, session.userId);
    if (found === undefined) throw refusal;
    event.caller = found;
    event.workspaceId = workspaceId;
    const isOneself = ofOneself !== undefined && event.path.get(ofOneself) === session.userId;
    if (!isOneself) await requireRole(deps, event, role);
    refuseOtherQueries(event, operation.query);
  },
});

/** A parsed API key, whose validity is checked later in the table. */
export type SenderKey = { workspaceId: WorkspaceId; hash: Uint8Array; source: SourceName | undefined };

/** Parses an API key. Throws Refusal `unauthenticated`; `hint` explains why the text cannot be a key. */
export const parseSenderKey = async (
  { now }: Pick<Deps, "now">,
  text: string,
  hint = explainInvalidKey(text),
): Promise<SenderKey> => {
  const key = parseApiKey(text);
  if (key === undefined) throw refuseApiKey(hint);
  if (key.until !== undefined && key.until <= now()) throw refuseApiKey();
  return { workspaceId: key.workspaceId, hash: await hashApiKey(key.text), source: key.source };
};

/** Parses the API key in X-Api-Key. Throws Refusal `unauthenticated`, also if the header is missing. */
export const readApiKey = async (deps: Pick<Deps, "now">, request: HttpRequest): Promise<SenderKey> => {
  // A repeated header arrives as one text with commas, which no key contains.
  const text = request.headers.get("x-api-key")?.trim();
  return text === undefined ? parseSenderKey(deps, "", explainMissingKey(request)) : parseSenderKey(deps, text);
};

const BASIC = /^basic +([a-z0-9+/=]+)$/i;
const BEARER = /^(?:bearer|geniekey) +(\S+)$/i;

/** Reads a tool's API key from X-Api-Key, Bearer, GenieKey or Basic, where it may be the user name or the password. */
export const readKeyText = ({ headers }: HttpRequest): string | undefined => {
  const own = headers.get("x-api-key")?.trim();
  if (own !== undefined) return own;
  const authorization = headers.get("authorization")?.trim() ?? "";
  const basic = BASIC.exec(authorization)?.[1];
  if (basic === undefined) return BEARER.exec(authorization)?.[1];
  const pair = Buffer.from(basic, "base64").toString("utf8").trim();
  const [user, password] = [pair.split(":", 1)[0], pair.slice(pair.indexOf(":") + 1)];
  return user !== undefined && parseApiKey(user) !== undefined ? user : password;
};

/** Returns the input that `read` returns. Callers with a valid key learn the input's faults; callers without always get 401. */
export const readInputWithValidKey = async <Input>(
  deps: Pick<Deps, "table">,
  key: { workspaceId: WorkspaceId; hash: Uint8Array },
  read: () => Input,
): Promise<Input> => {
  try {
    return read();
  } catch (error) {
    if ((await readControlForKey(deps, key.workspaceId, key.hash)) === undefined) throw refuseApiKey();
    throw error;
  }
};
