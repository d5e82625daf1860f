import * as v from "valibot";
import type { TableDeps } from "../../deps.ts";
import { WorkspaceId } from "../../domain/basics/ids.ts";
import { tokenOwnerKey } from "../keys.ts";
import { deleteWrite, getItem, putItemIf, putWrite, type Write } from "../table.ts";

/* The owner of a token is the user who registered the token last, because a phone must not show alerts of its former owner. */

const Membership = v.object({ userId: v.string(), ws: WorkspaceId });

const OwnerItem = v.object({
  userId: v.string(),
  /** The owner's memberships with the token, and former owners' memberships that are not removed yet. */
  places: v.array(Membership),
  version: v.number(),
});
export type TokenOwner = v.InferOutput<typeof OwnerItem>;

export const readTokenOwner = (deps: TableDeps, tokenHash: string): Promise<TokenOwner | undefined> =>
  getItem(deps, tokenOwnerKey(tokenHash), OwnerItem);

/** Stores a token's new owner and returns the stored item; undefined if the token's item has changed since `seen` was read. */
export const replaceTokenOwner = async (
  deps: TableDeps,
  tokenHash: string,
  seen: TokenOwner | undefined,
  next: Omit<TokenOwner, "version">,
): Promise<TokenOwner | undefined> => {
  const item = { ...next, version: (seen?.version ?? 0) + 1 };
  const expression =
    seen === undefined
      ? {}
      : { condition: "#version = :version", names: { "#version": "version" }, values: { ":version": seen.version } };
  const put = await putItemIf(deps, tokenOwnerKey(tokenHash), item, OwnerItem, expression);
  return put.kind === "done" ? item : undefined;
};

/** Returns a write that removes memberships by `isGone`, and the item with the last membership; undefined if none is gone. */
export const toMembershipRemoval = (
  deps: TableDeps,
  tokenHash: string,
  { version, ...owner }: TokenOwner,
  isGone: (membership: TokenOwner["places"][number]) => boolean,
): Write | undefined => {
  const places = owner.places.filter((membership) => !isGone(membership));
  if (places.length === owner.places.length) return undefined;
  const still = { condition: "#version = :version", names: { "#version": "version" }, values: { ":version": version } };
  const key = tokenOwnerKey(tokenHash);
  return places.length === 0
    ? deleteWrite(deps, key, still)
    : putWrite(deps, key, { ...owner, places, version: version + 1 }, still);
};
