import type { Deps, TimedDeps } from "../../deps.ts";
import type { WorkspaceId } from "../../domain/basics/ids.ts";
import type { Connection } from "../../domain/connection/connection.ts";
import { NO_SLACK_APP, parseSlackAnswer } from "../../domain/connection/slack-answer.ts";
import { findAppOfWorkspace } from "../../domain/connection/slack-app.ts";
import {
  toNextState,
  NOBODY_LINKED,
  NOBODY_ON_CALL,
  type WantedUsers,
  selectMembers,
} from "../../domain/on-call/user-group.ts";
import type { People } from "../../domain/people/people.ts";
import type { PostOutcome } from "../../domain/webhook/delivery-queue.ts";
import type { Message } from "../../domain/webhook/message.ts";
import { otherMessageSk } from "../../store/keys.ts";
import { addReachability } from "../read/reach-of-people.ts";
import { loadPeople } from "../../store/people/people.ts";
import { type Account, listSlackAccounts, setUserGroupState } from "../../store/delivery/slack.ts";
import { readQueue } from "../../store/delivery/delivery-queues.ts";

type Known = { people: People; accounts: readonly Account[] };

export const readSlackAccountsAndPeople = async (deps: TimedDeps, ws: WorkspaceId): Promise<Known> => ({
  accounts: await listSlackAccounts(deps, ws),
  people: await addReachability(deps, ws, await loadPeople(deps, ws)),
});

/** Selects the user group's members: the Slack accounts of the people on call in the connection's groups. `now`: milliseconds. */
export const findWantedMembers = ({ people, accounts }: Known, { groupIds }: Connection, now: number): WantedUsers => {
  const onCall = (groupIds ?? []).flatMap((groupId) => people.duty(groupId).at(now).people);
  return selectMembers(
    onCall.map(({ userId }) => userId),
    accounts,
  );
};

/** Creates a message that updates the user group of connection `id`. `queuedAt`: when the change was noticed (milliseconds). */
export const createUserGroupMessage = (id: string, queuedAt: number): Message => ({
  sk: otherMessageSk(queuedAt, "group", 0),
  id: `msg_${id}_${queuedAt}`,
  type: "oncall.changed",
  sequence: 0,
  told: queuedAt,
  tries: 0,
  body: "",
});

/** `kept`: the user group keeps its members, because the new list of members would be empty. */
type FillOutcome = PostOutcome | { kind: "kept"; code: typeof NOBODY_LINKED | typeof NOBODY_ON_CALL };

/** Sets the members of a Slack user group: the people on call now, or at `queuedAt` (ms) if this instance's clock is behind. */
export const updateUserGroup = async (
  deps: Pick<Deps, "table" | "now" | "slack" | "slackApps">,
  connection: Connection,
  queuedAt: number,
): Promise<FillOutcome> => {
  const { workspaceId: ws, id, userGroup = "" } = connection;
  const ref = { ws, id };
  const known = await readSlackAccountsAndPeople(deps, ws);
  const at = Math.max(deps.now(), queuedAt);
  const wanted = findWantedMembers(known, connection, at);
  const storeGroupMembers = async () =>
    setUserGroupState(deps, ref, toNextState(wanted, (await readQueue(deps, ref)).followed, at));
  if (wanted.kept !== null) {
    await storeGroupMembers();
    return { kind: "kept", code: wanted.kept === "nobody_linked" ? NOBODY_LINKED : NOBODY_ON_CALL };
  }
  const token = findAppOfWorkspace((await deps.slackApps()) ?? [], ws)?.botToken;
  if (token === undefined) return NO_SLACK_APP;
  const body = { usergroup: userGroup, users: wanted.users.join(",") };
  const outcome = parseSlackAnswer(await deps.slack({ method: "usergroups.users.update", token, body }));
  if (outcome.kind === "message_gone") return { kind: "refused", code: outcome.code };
  if (outcome.kind === "taken") await storeGroupMembers();
  return outcome;
};
