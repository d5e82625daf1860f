import * as v from "valibot";
import type { TableDeps, TimedDeps } from "../../deps.ts";
import { sha256 } from "../../domain/basics/digest.ts";
import { WorkspaceId } from "../../domain/basics/ids.ts";
import { toIso } from "../../domain/basics/time.ts";
import { DAY_MS } from "../../domain/basics/units.ts";
import { toAddressId } from "../../domain/device/device.ts";
import { toTtl } from "../claims.ts";
import { phoneAnswerCountKey, phoneOwnersKey } from "../keys.ts";
import { getItem, updateItem } from "../table.ts";

/** A person who has verified the number. The person's devices say whether the number still belongs to the person. */
const Owner = v.object({ ws: WorkspaceId, userId: v.string() });
export type PhoneOwner = v.InferOutput<typeof Owner>;

const OwnersItem = v.object({ pk: v.string(), sk: v.string() });
const Owners = v.pipe(
  v.looseObject({}),
  v.transform((item) =>
    Object.entries(item).flatMap(([name, value]): PhoneOwner[] => {
      const parsed = v.safeParse(Owner, value);
      return name.startsWith("at ") && parsed.success ? [parsed.output] : [];
    }),
  ),
);

const hashPhone = async (phone: string): Promise<string> =>
  Buffer.from(await sha256(toAddressId({ phone }))).toString("hex");

/** Stores that a person is about to verify a number, so that messages from the number are assigned to this person. */
export const addPhoneOwner = async (deps: TableDeps, phone: string, { ws, userId }: PhoneOwner): Promise<void> => {
  await updateItem(deps, phoneOwnersKey(await hashPhone(phone)), OwnersItem, {
    update: "SET #owner = :owner",
    names: { "#owner": `at ${ws} ${userId}` },
    values: { ":owner": { ws, userId } },
  });
};

export const removePhoneOwner = async (deps: TableDeps, hash: string, { ws, userId }: PhoneOwner): Promise<void> => {
  await updateItem(deps, phoneOwnersKey(hash), OwnersItem, {
    update: "REMOVE #owner",
    condition: "attribute_exists(#owner)",
    names: { "#owner": `at ${ws} ${userId}` },
  });
};

export const readPhoneOwners = async (deps: TableDeps, phone: string): Promise<readonly PhoneOwner[]> =>
  (await getItem(deps, phoneOwnersKey(await hashPhone(phone)), Owners)) ?? [];

/** The maximum number of answers to a number per day (UTC), so that two machines cannot answer each other endlessly. */
const ANSWERS_A_DAY = 20;

const AnswersItem = v.looseObject({ sent: v.number() });

/** Counts an answer to a person's message. Returns false if the message was already answered, or the day's limit is reached. */
export const countAnswerIfAllowed = async (deps: TimedDeps, phone: string, inboundId: string): Promise<boolean> => {
  const now = deps.now();
  const counted = await updateItem(
    deps,
    phoneAnswerCountKey(await hashPhone(phone), toIso(now).slice(0, 10)),
    AnswersItem,
    {
      update: "SET sent = if_not_exists(sent, :none) + :one, #id = :one, #ttl = :ttl",
      condition: "attribute_not_exists(#id) AND (attribute_not_exists(sent) OR sent < :most)",
      names: { "#id": `to ${inboundId}`, "#ttl": "ttl" },
      values: { ":none": 0, ":one": 1, ":most": ANSWERS_A_DAY, ":ttl": toTtl(now + 2 * DAY_MS) },
    },
  );
  return counted.kind === "done";
};
