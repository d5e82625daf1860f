import { LISTS_MAX_BYTES, takeFitting } from "../../core/domain/basics/fitting.ts";
import { invalid } from "../../core/domain/basics/refusal.ts";
import { ok, reply } from "./endpoint.ts";
import type { GatewayAnswer } from "./answer.ts";
import type { HttpRequest } from "./request.ts";

const badAfter = () =>
  invalid([{ field: "after", code: "invalid", message: "after must come from a Link header of this list." }]);

/** The name of the entry after which the list continues. */
export const readAfter = (request: HttpRequest): string | undefined => request.query.get("after");

/**
 * A list that continues after its last entry. The header names the next page of the same query, relative to this one.
 */
export const pageOf = (request: HttpRequest, items: readonly object[], next: string | undefined): GatewayAnswer => {
  if (next === undefined) return ok(items);
  const query = new URLSearchParams([...request.query].filter(([name]) => name !== "after").concat([["after", next]]));
  return reply(200, items, { Link: `<?${query.toString()}>; rel="next"` });
};

/**
 * A list from the entry that follows `after`, as much of it as one answer can carry. Nearly every list is one page; a
 * caller that follows no link gets the first page.
 */
export const listed = <Item extends object>(
  request: HttpRequest,
  items: readonly Item[],
  nameOf: (item: Item) => string,
): GatewayAnswer => {
  const after = readAfter(request);
  const index = after === undefined ? -1 : items.findIndex((item) => nameOf(item) === after);
  if (after !== undefined && index < 0) throw badAfter();
  const rest = items.slice(index + 1);
  const { taken } = takeFitting(rest, LISTS_MAX_BYTES);
  const last = taken.at(-1);
  return pageOf(request, taken, taken.length < rest.length && last !== undefined ? nameOf(last) : undefined);
};

/** A page after an entry, or 422 if there is no such entry. */
export const foundAfter = <Page>(page: Page | "unknown"): Page => {
  if (page === "unknown") throw badAfter();
  return page;
};
