import { sha256 } from "../../core/domain/basics/digest.ts";
import type { WorkspaceId } from "../../core/domain/basics/ids.ts";
import { refuseField, type Refusal } from "../../core/domain/basics/refusal.ts";
import { reply } from "./endpoint.ts";
import type { GatewayAnswer } from "./answer.ts";
import type { HttpRequest } from "./request.ts";

type ListRequest = HttpRequest & { workspaceId: WorkspaceId };
type ListName = "events" | "notifications" | "audit" | "shadow" | `wh_${string}`;

/** Parameters that may differ between the pages of a list. */
const FREE = new Set(["cursor", "limit", "page"]);
const SEAL_CHARACTERS = 16;

/** Returns a short hash of a list's name, workspace, filters and position, so that a cursor fits only its own list. */
const hashPosition = async (list: ListName, { workspaceId, query }: ListRequest, position: string): Promise<string> => {
  const filters = [...query].filter(([name]) => !FREE.has(name)).toSorted(([one], [other]) => (one < other ? -1 : 1));
  const digest = await sha256(JSON.stringify([list, workspaceId, filters, position]));
  return Buffer.from(digest).toString("base64url").slice(0, SEAL_CHARACTERS);
};

/** Creates the cursor for a position in a list: a hash, followed by the position in base64url. */
export const createCursor = async (list: ListName, request: ListRequest, position: string): Promise<string> =>
  (await hashPosition(list, request, position)) + Buffer.from(position, "utf8").toString("base64url");

const createCursorRefusal = (): Refusal =>
  refuseField("cursor", "invalid", "cursor must come from an earlier answer of this list, with the same filters.");

/**
 * Returns the position after which a page begins; undefined for the first page. The checksum is not secret: it only detects
 * damaged cursors and cursors of another list. A cursor gives no access, which depends only on membership.
 */
export const readCursor = async (list: ListName, request: ListRequest): Promise<string | undefined> => {
  const cursor = request.query.get("cursor");
  if (cursor === undefined) return undefined;
  const position = Buffer.from(cursor.slice(SEAL_CHARACTERS), "base64url").toString("utf8");
  if (cursor !== (await createCursor(list, request, position))) throw createCursorRefusal();
  return position;
};

/** Answers with a page. If the list continues, the Link header has the next page's URL, relative to this request's URL. */
export const replyCursorPage = async (
  list: ListName,
  request: ListRequest,
  body: object,
  next: string | undefined,
): Promise<GatewayAnswer> => {
  if (next === undefined) return reply(200, body);
  const query = new URLSearchParams([...request.query].filter(([name]) => name !== "cursor" && name !== "page"));
  query.set("cursor", await createCursor(list, request, next));
  return reply(200, body, { Link: `<?${query.toString()}>; rel="next"` });
};
