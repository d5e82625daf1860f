import * as v from "valibot";
import type { TimedDeps } from "../../deps.ts";
import { AGAIN, retryChange } from "../../domain/basics/attempt.ts";
import { formatEventId, parsePackId, type WorkspaceId } from "../../domain/basics/ids.ts";
import { mapLimit } from "../../domain/basics/in-turns.ts";
import { listPackIds } from "../../domain/delivery/delivery-plan.ts";
import { Device } from "../../domain/device/device.ts";
import { hashEmail } from "../../domain/people/invitation.ts";
import { hashText } from "../claims.ts";
import { deflatedSchema } from "../codec.ts";
import {
  calendarSecretKey,
  calendarsPk,
  dedupeClaimKey,
  devicesPk,
  eventRange,
  eventsPks,
  invitationsPk,
  invitedKey,
  type Key,
  queuesPk,
  createdInTotalKey,
  memberPrefix,
  membershipKey,
  notificationsPks,
  dedupeIndexKey,
  packKey,
  peoplePk,
  rulesPk,
  pagesKey,
  parseSeqOfKey,
  sitesPks,
  timelineKey,
  trailPk,
  watchKey,
  workspaceKey,
  parseWorkspaceOfDueKey,
} from "../keys.ts";
import { hashDedupeKey as openHashOf } from "../events/open-events.ts";
import { prepareOwnerRemoval } from "./devices.ts";
import { deleteItem, type ItemSchema, queryItems, updateItem, writeTogether } from "../table.ts";
import { duePks, queuePks, listFixedPartitions, planPartsPk, siteEventsPks } from "../workspace-keys.ts";

/* Each step removes what an item refers to in other partitions before the item itself, so that steps can be repeated. */

type Scope = { ws: WorkspaceId; numbers: number; until: number };
/** Removes one kind of items. Returns undefined if no items are left, otherwise the position at which to continue. */
type Step = (deps: TimedDeps, scope: Scope, from: string) => Promise<string | undefined>;

const AT_ONCE = 20;
const PAGE = 100;
/** The position of a step that stopped at its time limit: the step begins again, and finds only the remaining items. */
const NEXT_RUN = "";

const KeyItem = v.object({ pk: v.string(), sk: v.string() });

/** Removes the items of a range, each after `before` has removed what the item refers to. Returns false at the time limit. */
const removeItemsInRange = async <Item extends Key>(
  deps: TimedDeps,
  range: { pk: string; prefix?: string },
  schema: ItemSchema<Item>,
  { until }: Pick<Scope, "until">,
  before: (item: Item) => Promise<void>,
): Promise<boolean> => {
  while (deps.now() < until) {
    const items = await queryItems(deps, range, schema, { limit: PAGE });
    await mapLimit(items, AT_ONCE, async (item) => {
      await before(item);
      await deleteItem(deps, { pk: item.pk, sk: item.sk });
    });
    if (items.length < PAGE) return true;
  }
  return false;
};

/** Removes the items of a partition. Returns false at the time limit. */
const emptyPartition = (deps: TimedDeps, pk: string, scope: Pick<Scope, "until">): Promise<boolean> =>
  removeItemsInRange(deps, { pk }, KeyItem, scope, async () => {});

/** Removes the items of partitions, from index `from`. Returns the index of the first remaining partition, if any. */
const emptyPartitions = async (
  deps: TimedDeps,
  pks: readonly string[],
  { until }: Pick<Scope, "until">,
  from: string,
  emptyOne: (pk: string) => Promise<boolean>,
): Promise<string | undefined> => {
  for (let at = Number(from); at < pks.length; at += 1)
    if (deps.now() >= until || !(await emptyOne(pks[at] ?? ""))) return String(at);
  return undefined;
};

/** Returns where a step continues; undefined if the step is done. */
const toContinuation = (done: boolean): string | undefined => (done ? undefined : NEXT_RUN);

const MemberKey = v.object({ ...KeyItem.entries, userId: v.string() });
const Made = v.object({ made: v.optional(v.set(v.string())) });

/** Removes the members. This step runs first, so that nobody is still a member and the creator can create another workspace. */
const emptyMembers: Step = async (deps, scope) => {
  const { ws } = scope;
  const done = await removeItemsInRange(
    deps,
    { pk: peoplePk(ws), prefix: memberPrefix },
    MemberKey,
    scope,
    async ({ userId }) => {
      await deleteItem(deps, membershipKey(userId, ws));
      await deleteItem(deps, pagesKey(ws, userId));
      await updateItem(deps, createdInTotalKey(userId), Made, {
        update: "DELETE made :ws",
        condition: "contains(made, :id)",
        values: { ":ws": new Set([ws]), ":id": ws },
      });
    },
  );
  return toContinuation(done);
};

const DevicesItem = v.object({
  ...KeyItem.entries,
  devices: v.record(v.string(), Device),
  lost: v.optional(v.record(v.string(), Device), {}),
});

/** Removes this workspace from the stored owner of a device's address, and the user from the owners of a phone number. */
const removeFromAddressOwner = async (
  deps: TimedDeps,
  ws: WorkspaceId,
  userId: string,
  device: Device,
): Promise<void> => {
  await retryChange({ item: "the owner of a device's address" }, async () => {
    const write = await prepareOwnerRemoval(deps, ws, userId, device, (one) => one.ws === ws);
    return write === undefined || (await writeTogether(deps, [write])).kind === "done" ? undefined : AGAIN;
  });
};

const emptyDevices: Step = async (deps, scope) => {
  const done = await removeItemsInRange(deps, { pk: devicesPk(scope.ws) }, DevicesItem, scope, async (item) => {
    for (const device of Object.values({ ...item.devices, ...item.lost }))
      await removeFromAddressOwner(deps, scope.ws, item.sk, device);
  });
  return toContinuation(done);
};

const Invited = v.object({ ...KeyItem.entries, email: v.string() });
const emptyInvitations: Step = async (deps, scope) =>
  toContinuation(
    await removeItemsInRange(deps, { pk: invitationsPk(scope.ws) }, Invited, scope, async ({ email }) =>
      deleteItem(deps, invitedKey(await hashEmail(email), scope.ws)),
    ),
  );

const Feed = v.object({ ...KeyItem.entries, hash: v.instance(Uint8Array) });
const emptyCalendars: Step = async (deps, scope) =>
  toContinuation(
    await removeItemsInRange(deps, { pk: calendarsPk(scope.ws) }, Feed, scope, ({ hash }) =>
      deleteItem(deps, calendarSecretKey(Buffer.from(hash).toString("hex"))),
    ),
  );

/** Removes delivery queues and their messages, also of webhooks and connections that were deleted earlier. */
const emptyQueues: Step = async (deps, scope, from) => {
  const known = await Promise.all(
    [queuesPk(scope.ws), rulesPk(scope.ws)].map((pk) => queryItems(deps, { pk }, KeyItem, { consistent: true })),
  );
  const ids = [...new Set(known.flat().map(({ sk }) => sk))];
  const pks = ids.flatMap((id) => queuePks(scope.ws, id));
  return emptyPartitions(deps, pks, scope, from, (pk) => emptyPartition(deps, pk, scope));
};

const DUE_PAGE = 1_000;

/** Removes the workspace's items from the partitions that all workspaces share. `from`: partition index and last checked key. */
const emptyDueItems: Step = async (deps, { ws, until }, from) => {
  const [first = "0", ...rest] = from.split(" ");
  let after = rest.join(" ");
  for (let list = Number(first); list < duePks.length; list += 1) {
    for (let isMore = true; isMore;) {
      if (deps.now() >= until) return `${list} ${after}`;
      const range = { pk: duePks[list] ?? "", from: `${after} `, to: "~" };
      const page = await queryItems(deps, range, KeyItem, { limit: DUE_PAGE });
      const own = page.filter((item) => parseWorkspaceOfDueKey(item) === ws);
      await mapLimit(own, AT_ONCE, ({ pk, sk }) => deleteItem(deps, { pk, sk }));
      isMore = page.length === DUE_PAGE;
      after = page.at(-1)?.sk ?? "";
    }
    after = "";
  }
  return undefined;
};

const LooseItem = v.looseObject(KeyItem.entries);
const Head = deflatedSchema(v.object({ packs: v.optional(v.number(), 1) }));

const emptyPacks: Step = (deps, scope, from) =>
  emptyPartitions(deps, notificationsPks(scope.ws), scope, from, (pk) =>
    removeItemsInRange(deps, { pk }, LooseItem, scope, async ({ sk, head }) => {
      const packId = parsePackId(sk);
      const known = v.safeParse(Head, head);
      if (packId === undefined || !known.success) return;
      const others = listPackIds(packId, known.output.packs).slice(1);
      await mapLimit(others, AT_ONCE, (id) => deleteItem(deps, packKey(scope.ws, id)));
    }),
  );

const Named = v.looseObject({ content: deflatedSchema(v.looseObject({})), nonce: v.string() });
const WITH_KEYS = ["dedupeKey", "resolves"] as const;
const NUMBERS = 50;
/** How many of the last event numbers may have a plan but no event, because a request died before storing the event. */
const RECENT = 1_000;

/** Removes the items whose keys contain the event's id or dedupeKey, such as its timeline and its claim. */
const removeNamedItems = async (deps: TimedDeps, { ws }: Scope, event: Key): Promise<void> => {
  const named = v.safeParse(Named, event);
  if (!named.success) return;
  const { content, nonce } = named.output;
  const seq = parseSeqOfKey(event);
  await deleteItem(deps, timelineKey(ws, formatEventId({ seq, nonce })));
  for (const field of WITH_KEYS) {
    const key = content[field];
    if (typeof key !== "string") continue;
    await deleteItem(deps, dedupeClaimKey(ws, hashText(key)));
    await deleteItem(deps, dedupeIndexKey(ws, openHashOf(key), seq));
  }
};

/** Removes events by number, with the items that belong to the events. `from`: the last finished number. */
const emptyByEventNumber: Step = async (deps, scope, from) => {
  const { ws, numbers, until } = scope;
  for (let last = Number(from); last < numbers; last += NUMBERS) {
    if (deps.now() >= until) return String(last);
    const [first, to] = [last + 1, Math.min(numbers, last + NUMBERS)];
    const found = await Promise.all(
      eventsPks(ws, first, to).map((pk) => queryItems(deps, { pk, ...eventRange(first, to) }, LooseItem)),
    );
    const items = found.flat();
    const planned = new Set(items.map(parseSeqOfKey));
    for (let seq = Math.max(first, numbers - RECENT); seq <= to; seq += 1) planned.add(seq);
    await mapLimit([...planned], AT_ONCE, (seq) => emptyPartition(deps, planPartsPk(ws, seq), { until: Infinity }));
    await mapLimit(items, AT_ONCE, async (item) => {
      await removeNamedItems(deps, scope, item);
      await deleteItem(deps, { pk: item.pk, sk: item.sk });
    });
  }
  return undefined;
};

const emptySites: Step = (deps, scope, from) =>
  emptyPartitions(deps, sitesPks(scope.ws), scope, from, (pk) =>
    removeItemsInRange(deps, { pk }, KeyItem, scope, async ({ sk }) => {
      for (const events of siteEventsPks(scope.ws, sk)) await emptyPartition(deps, events, { until: Infinity });
    }),
  );

/** Removes the workspace's people, its subscriptions' progress, and the other partitions whose keys contain only its id. */
const emptyRemainingPartitions: Step = async (deps, scope, from) => {
  await deleteItem(deps, watchKey(scope.ws));
  return emptyPartitions(deps, [peoplePk(scope.ws), ...listFixedPartitions(scope.ws)], scope, from, (pk) =>
    emptyPartition(deps, pk, scope),
  );
};

/** Removes the workspace's own items. Removes the audit trail last, because it names the person who deleted the workspace. */
const emptyOwnItems: Step = (deps, scope, from) =>
  emptyPartitions(deps, [workspaceKey(scope.ws).pk, trailPk(scope.ws)], scope, from, (pk) =>
    emptyPartition(deps, pk, scope),
  );

const steps: readonly Step[] = [
  emptyMembers,
  emptyDevices,
  emptyInvitations,
  emptyCalendars,
  emptyQueues,
  emptyDueItems,
  emptyPacks,
  emptyByEventNumber,
  emptySites,
  emptyRemainingPartitions,
  emptyOwnItems,
];

export type Progress = { step: number; from?: string | undefined };

/** Continues to remove a workspace's items until `until`, in milliseconds. `done`: whether all items are removed. */
export const emptyWorkspace = async (
  deps: TimedDeps,
  scope: Scope,
  { step, from }: Progress,
): Promise<Progress & { done: boolean }> => {
  let now: Progress = { step, from };
  for (let work = steps[now.step]; work !== undefined; work = steps[now.step]) {
    if (deps.now() >= scope.until) return { ...now, done: false };
    const left = await work(deps, scope, now.from ?? "");
    now = left === undefined ? { step: now.step + 1 } : { step: now.step, from: left };
  }
  return { ...now, done: true };
};

/** Ends as many memberships of a workspace as possible before `until`, in milliseconds. */
export const endMemberships = async (deps: TimedDeps, ws: WorkspaceId, until: number): Promise<void> => {
  await emptyMembers(deps, { ws, numbers: 0, until }, "");
};
