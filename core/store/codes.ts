import * as v from "valibot";
import type { Deps } from "../deps.ts";
import { CODES_A_DAY, type CodeCount } from "../domain/device/verification.ts";
import { toIso } from "../domain/basics/time.ts";
import { ttlOf } from "./claims.ts";
import { addressCodesKey, codesKey } from "./keys.ts";
import { updateItem } from "./table.ts";
import { DAY_MS } from "../domain/basics/units.ts";

const CodesItem = v.object({ sent: v.number() });

/**
 * Counts a code that is about to be sent, and says which of the day's counts is used up, if one is. A code that is then
 * not sent stays counted, and so may one whose write the client has repeated: never more are sent than allowed.
 */
export const countCode = async (
  deps: Pick<Deps, "table" | "now">,
  ws: string,
  userId: string,
  addressHash: string,
): Promise<CodeCount | undefined> => {
  const now = deps.now();
  const day = toIso(now).slice(0, 10);
  const counts = [
    ["address", addressCodesKey(addressHash, day)],
    ["person", codesKey(ws, "person", userId, day)],
    ["workspace", codesKey(ws, "workspace", ws, day)],
  ] as const;
  for (const [count, key] of counts) {
    const counted = await updateItem(deps, key, CodesItem, {
      update: "SET sent = if_not_exists(sent, :none) + :one, #ttl = :ttl",
      condition: "attribute_not_exists(sent) OR sent < :most",
      names: { "#ttl": "ttl" },
      values: { ":none": 0, ":one": 1, ":most": CODES_A_DAY[count], ":ttl": ttlOf(now + DAY_MS) },
    });
    if (counted.kind !== "done") return count;
  }
  return undefined;
};
