import * as v from "valibot";
import type { AuditDeps, TableDeps, TimedDeps } from "../../deps.ts";
import type { WorkspaceId } from "../../domain/basics/ids.ts";
import { MESSAGES_KEPT_DAYS } from "../../domain/basics/limits.ts";
import { toIso } from "../../domain/basics/time.ts";
import { DAY_MS } from "../../domain/basics/units.ts";
import { UserGroupState } from "../../domain/on-call/user-group.ts";
import type { SlackPerson } from "../../domain/connection/slack-request.ts";
import { hashText, toTtl } from "../claims.ts";
import { channelPostKey, idempotencyKey, queueKey, slackAccountKey, slackAccountsPk } from "../keys.ts";
import { getItem, putItem, putItemIf, putWrite, queryItems, updateItem } from "../table.ts";
import { writeRecorded } from "../configuration/audit-trail.ts";
import { deleteRecordedItem, buildAudit, type AuditOf } from "../configuration/versioned.ts";
import { readQueues } from "./delivery-queues.ts";

/** The message of an event in a Slack channel: its Slack id, and the number of timeline entries that it shows. */
const ChannelPost = v.object({ ts: v.string(), shown: v.number() });
export type ChannelPost = v.InferOutput<typeof ChannelPost>;

/** How long the post of an event is stored: longer than an event can be open and its messages can wait. */
const POST_KEPT_DAYS = 3 * MESSAGES_KEPT_DAYS;

type PostRef = { ws: WorkspaceId; id: string; eventId: string };

export const readChannelPost = (deps: TableDeps, { ws, id, eventId }: PostRef): Promise<ChannelPost | undefined> =>
  getItem(deps, channelPostKey(ws, id, eventId), ChannelPost);

export const putChannelPost = (deps: TimedDeps, { ws, id, eventId }: PostRef, post: ChannelPost): Promise<void> =>
  putItem(deps, channelPostKey(ws, id, eventId), { ...post, ttl: toTtl(deps.now() + POST_KEPT_DAYS * DAY_MS) });

/** Stores which members the Slack user group of a connection has. */
export const setUserGroupState = async (
  deps: TableDeps,
  { ws, id }: { ws: WorkspaceId; id: string },
  followed: UserGroupState,
): Promise<void> => {
  await updateItem(deps, queueKey(ws, id), v.object({ followed: UserGroupState }), {
    update: "SET followed = :followed",
    values: { ":followed": followed },
  });
};

const Account = v.object({
  team: v.string(),
  user: v.string(),
  name: v.string(),
  userId: v.string(),
  tiedAt: v.string(),
});
export type Account = v.InferOutput<typeof Account>;

const describeSlackAccountForTrail = (ws: WorkspaceId, userId: string): AuditOf<Account> => ({
  ws,
  kind: "slack_account",
  id: userId,
  // An audit entry cannot be erased, so the entry does not contain the account's name in Slack.
  shown: (account) => ({ userId: account.userId }),
});

/** Lists the linked Slack accounts, strongly consistent. */
export const listSlackAccounts = (deps: TableDeps, ws: WorkspaceId): Promise<Account[]> =>
  queryItems(deps, { pk: slackAccountsPk(ws) }, Account);

export const readSlackAccount = (
  deps: TableDeps,
  { workspaceId: ws, team, user }: Pick<SlackPerson, "workspaceId" | "team" | "user">,
): Promise<Account | undefined> => getItem(deps, slackAccountKey(ws, team, user), Account);

/** Links a Slack account to a member, who replaces the account's previous member. Idempotent. */
export const storeSlackAccount = async (
  deps: AuditDeps,
  { workspaceId: ws, team, user, name }: SlackPerson,
  userId: string,
): Promise<Account> => {
  for (let round = 0; round < TRIES; round += 1) {
    const before = await readSlackAccount(deps, { workspaceId: ws, team, user });
    if (before?.userId === userId) return before;
    const account: Account = { team, user, name, userId, tiedAt: toIso(deps.now()) };
    const still = before === undefined ? {} : { condition: "userId = :before", values: { ":before": before.userId } };
    const write = putWrite(deps, slackAccountKey(ws, team, user), account, still);
    const written = await writeRecorded(
      deps,
      ws,
      buildAudit(describeSlackAccountForTrail(ws, userId), before, account),
      write,
    );
    if (written.kind === "done") return account;
  }
  throw new Error(`the account of ${user} changed during all ${TRIES} attempts to write it`);
};
const TRIES = 5;

/** Stores that a member uses the link from Slack with this token. Returns false if another member has already used the link. */
export const consumeSlackLink = async (
  deps: TimedDeps,
  ws: WorkspaceId,
  userId: string,
  token: string,
): Promise<boolean> => {
  const schema = v.object({ userId: v.string() });
  const used = { userId, ttl: toTtl(deps.now()) };
  const put = await putItemIf(deps, idempotencyKey(ws, hashText(`tie ${token}`)), used, schema);
  return put.kind === "done" || put.item?.userId === userId;
};

/** Removes Slack users from the stored members of all user groups. */
const removeFromUserGroupState = async (deps: TableDeps, ws: WorkspaceId, ids: readonly string[]): Promise<void> => {
  for (const [id, { followed }] of await readQueues(deps, ws))
    if (followed !== undefined && followed.users.some((user) => ids.includes(user)))
      await setUserGroupState(
        deps,
        { ws, id },
        { ...followed, users: followed.users.filter((user) => !ids.includes(user)) },
      );
};

/** Unlinks the Slack accounts of a member, and deletes the accounts' stored names. Returns false if the member had no account. */
export const deleteSlackAccounts = async (deps: AuditDeps, ws: WorkspaceId, userId: string): Promise<boolean> => {
  const own = (await listSlackAccounts(deps, ws)).filter((account) => account.userId === userId);
  if (own.length === 0) return false;
  // The person is removed from user groups first, because after the accounts are deleted, no data identifies the person there.
  await removeFromUserGroupState(
    deps,
    ws,
    own.map(({ user }) => user),
  );
  for (const { team, user } of own)
    await deleteRecordedItem(deps, slackAccountKey(ws, team, user), Account, describeSlackAccountForTrail(ws, userId));
  return true;
};
