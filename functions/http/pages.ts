import { LISTS_MAX_BYTES, takeItemsThatFit } from "../../core/domain/basics/fitting.ts";
import { refuseField, type Refusal } from "../../core/domain/basics/refusal.ts";
import { replyOk, reply } from "./endpoint.ts";
import type { GatewayAnswer } from "./answer.ts";
import type { HttpRequest } from "./request.ts";

const createUnknownPageRefusal = (): Refusal =>
  refuseField("after", "invalid", "after must come from a Link header of this list.");

export const readAfterParameter = (request: HttpRequest): string | undefined => request.query.get("after");

/** Answers with a page of items. `next`: the next page's position, for its URL in the Link header; undefined: the last page. */
export const replyPage = (request: HttpRequest, items: readonly object[], next: string | undefined): GatewayAnswer => {
  if (next === undefined) return replyOk(items);
  const query = new URLSearchParams([...request.query].filter(([name]) => name !== "after").concat([["after", next]]));
  return reply(200, items, { Link: `<?${query.toString()}>; rel="next"` });
};

/** Answers with a page of items, which starts after the item that the query's `after` names. Throws 422 for an unknown name. */
export const replyList = <Item extends object>(
  request: HttpRequest,
  items: readonly Item[],
  nameOf: (item: Item) => string,
): GatewayAnswer => {
  const after = readAfterParameter(request);
  const index = after === undefined ? -1 : items.findIndex((item) => nameOf(item) === after);
  if (after !== undefined && index < 0) throw createUnknownPageRefusal();
  const rest = items.slice(index + 1);
  const { taken } = takeItemsThatFit(rest, LISTS_MAX_BYTES);
  const last = taken.at(-1);
  return replyPage(request, taken, taken.length < rest.length && last !== undefined ? nameOf(last) : undefined);
};

/** Returns the page, or throws 422 if its position does not exist. */
export const requirePage = <Page>(page: Page | "unknown"): Page => {
  if (page === "unknown") throw createUnknownPageRefusal();
  return page;
};
