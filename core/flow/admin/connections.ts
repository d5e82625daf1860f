import type { Deps, AuditDeps } from "../../deps.ts";
import { isId, type WorkspaceId } from "../../domain/basics/ids.ts";
import { invalidInput, refuseField, type Fault, type Refusal } from "../../domain/basics/refusal.ts";
import { toIso } from "../../domain/basics/time.ts";
import type { IfMatch } from "../../domain/basics/version.ts";
import {
  type Connection,
  type ConnectionInput,
  type ConnectionPatch,
  findWorkflowUrlFault,
} from "../../domain/connection/connection.ts";
import { NO_SLACK_APP, parseSlackAnswer } from "../../domain/connection/slack-answer.ts";
import { findAppOfWorkspace, isAppUsableBy } from "../../domain/connection/slack-app.ts";
import { verifyLinkToken, type SlackAccount } from "../../domain/connection/slack-request.ts";
import { buildTestCard } from "../../domain/connection/teams-card.ts";
import type { PostOutcome } from "../../domain/webhook/delivery-queue.ts";
import { isInShadow } from "../../domain/workspace/control.ts";
import type { WebhookTestAnswer } from "../../domain/webhook/message.ts";
import { updateUserGroup, createUserGroupMessage } from "./fill-user-group.ts";
import { sendMessages } from "../../queue/send.ts";
import * as connections from "../../store/delivery/connections.ts";
import { readControl } from "../../store/events/control.ts";
import { readGroup } from "../../store/people/groups.ts";
import { readRule } from "../../store/rules/rules.ts";
import { storeSlackAccount, consumeSlackLink } from "../../store/delivery/slack.ts";
import { queueMessage, resumeQueue, startQueueTest, TEST_PAUSE_MS } from "../../store/delivery/delivery-queues.ts";
import { refuseTooSoon } from "../too-soon.ts";

type WakeDeps = Pick<Deps, "table" | "now" | "log"> & { queues: Pick<Deps["queues"], "webhooks"> };

const refuseMissingApp = (kind: string): Refusal =>
  refuseField(
    "kind",
    "not_configured",
    `kind cannot be ${kind}: this service has no Slack app for this workspace. Ask its operator to add one.`,
  );

const requireExistingRulesAndGroups = async (
  deps: Pick<Deps, "table">,
  ws: WorkspaceId,
  { ruleIds, groupIds }: Partial<Pick<Connection, "ruleIds" | "groupIds">>,
): Promise<void> => {
  const createUnknownIdFault = (field: string, noun: string): Fault => ({
    field,
    code: "unknown_reference",
    message: `${field} must be the id of a ${noun} of this workspace.`,
  });
  const ruleFaults = (ruleIds ?? []).map(async (id, index) =>
    !isId("rule", id) || (await readRule(deps, ws, id)) === undefined
      ? [createUnknownIdFault(`ruleIds[${index}]`, "routing rule")]
      : [],
  );
  const groupFaults = (groupIds ?? []).map(async (id, index) =>
    !isId("grp", id) || (await readGroup(deps, ws, id)) === undefined
      ? [createUnknownIdFault(`groupIds[${index}]`, "group")]
      : [],
  );
  const faults = (await Promise.all([...ruleFaults, ...groupFaults])).flat();
  if (faults.length > 0) throw invalidInput(faults);
};

/** Throws a refusal if the channel or user group already has a connection: a second would post twice or overwrite members. */
const requireUnusedTarget = async (
  deps: Pick<Deps, "table">,
  ws: WorkspaceId,
  field: "channel" | "userGroup",
  value: string,
): Promise<void> => {
  const existing = (await connections.listConnections(deps, ws)).find((connection) => connection[field] === value);
  if (existing === undefined) return;
  const message = `${field} already has the connection ${existing.name} (${existing.id}). Change that connection instead.`;
  throw refuseField(field, "in_use", message);
};

/** Stores a connection. Throws `limit_reached`; `invalid_input`, for example for Slack if the workspace has no Slack app. */
export const createConnection = async (
  deps: AuditDeps<"teamsStandIn" | "slackApps">,
  ws: WorkspaceId,
  input: ConnectionInput,
): Promise<Connection> => {
  if (input.kind === "teams") {
    const message = findWorkflowUrlFault(input.url, deps.teamsStandIn);
    if (message !== undefined) throw refuseField("url", "invalid", message);
  } else {
    if (findAppOfWorkspace((await deps.slackApps()) ?? [], ws) === undefined) throw refuseMissingApp(input.kind);
    if (input.kind === "slack") await requireUnusedTarget(deps, ws, "channel", input.channel);
    else await requireUnusedTarget(deps, ws, "userGroup", input.userGroup);
  }
  await requireExistingRulesAndGroups(deps, ws, input);
  return connections.createConnection(deps, ws, input);
};

/** Starts sending the waiting messages of connection `id`. A repeated request does so again: the first may have died. */
const wakeQueue = async (deps: WakeDeps, ws: WorkspaceId, id: string): Promise<void> => {
  await resumeQueue(deps, { ws, id });
  await sendMessages(deps.queues.webhooks, [{ message: { kind: "line", ws, id } }]);
};

const refuseUserGroupField = (field: string): Refusal =>
  refuseField(field, "invalid", `${field} cannot be set: a Slack user group follows at least one group, and no rules.`);

/** Throws a refusal if a change of a Slack user group sets rules, or removes all groups that the user group follows. */
const requireValidUserGroupChange = (kind: Connection["kind"], { ruleIds, groupIds }: ConnectionPatch): void => {
  if (kind !== "slack_user_group") return;
  if (ruleIds !== undefined && ruleIds !== null) throw refuseUserGroupField("ruleIds");
  if (groupIds === null) throw refuseUserGroupField("groupIds");
};

/** Changes a connection; retries waiting messages. Undefined for an unknown id. Throws `invalid_input`, `changed_meanwhile`. */
export const updateConnection = async (
  deps: WakeDeps & AuditDeps,
  ws: WorkspaceId,
  { id, kind }: Pick<Connection, "id" | "kind">,
  patch: ConnectionPatch,
  expected?: IfMatch,
): Promise<Connection | undefined> => {
  requireValidUserGroupChange(kind, patch);
  await requireExistingRulesAndGroups(deps, ws, patch);
  const connection = await connections.updateConnection(deps, ws, id, patch, expected);
  if (connection !== undefined && !connection.paused) await wakeQueue(deps, ws, id);
  return connection;
};

type TestDeps = WakeDeps & AuditDeps<"post" | "slack" | "slackApps">;

const postSlackTest = async (
  deps: Pick<Deps, "slack" | "slackApps">,
  { workspaceId: ws, name, channel }: Connection,
): Promise<PostOutcome> => {
  const token = findAppOfWorkspace((await deps.slackApps()) ?? [], ws)?.botToken;
  if (token === undefined) return NO_SLACK_APP;
  const text = `:white_check_mark: The connection *${name.replaceAll(/[&<>*]/g, "")}* posts alerts here.`;
  const outcome = parseSlackAnswer(await deps.slack({ method: "chat.postMessage", token, body: { channel, text } }));
  return outcome.kind === "message_gone" ? { kind: "refused", code: outcome.code } : outcome;
};

/** Tests a user group by updating it; returns the outcome. In a shadow, returns `kept`: the other service updates the group. */
const testUserGroup = async (deps: WakeDeps & Pick<Deps, "slack" | "slackApps">, connection: Connection) => {
  const { workspaceId: ws, id } = connection;
  if (isInShadow((await readControl(deps, ws)) ?? {}, deps.now())) return { kind: "kept", code: "IN_SHADOW" };
  const done = await updateUserGroup(deps, connection, 0);
  if (done.kind === "taken") await queueMessage(deps, { ws, id }, createUserGroupMessage(id, deps.now()));
  return done;
};

const tests = {
  slack: postSlackTest,
  teams: (deps: TestDeps, { url = "", name }: Connection) => deps.post({ url, headers: {}, body: buildTestCard(name) }),
  slack_user_group: testUserGroup,
} as const;

/** Sends a test before queued messages; its success resumes the queue. Undefined for an unknown id. Throws `rate_limited`. */
export const testConnection = async (
  deps: TestDeps,
  ws: WorkspaceId,
  connectionId: string,
): Promise<WebhookTestAnswer | undefined> => {
  const connection = await connections.readConnection(deps, ws, connectionId);
  if (connection === undefined) return undefined;
  const at = deps.now();
  if (!(await startQueueTest(deps, { ...connection, kind: "connection" }, at)))
    throw refuseTooSoon("test", TEST_PAUSE_MS);
  const { kind, code } = await tests[connection.kind](deps, connection);
  deps.log.info("connection.tested", { workspaceId: ws, connectionId, code });
  const delivered = kind === "taken";
  if (delivered) await wakeQueue(deps, ws, connectionId);
  return { sentAt: toIso(at), delivered, code };
};

/** Links the user with a Slack account. `token`: from Slack's link. Throws `invalid_input` unless the token is for this user. */
export const linkSlackAccount = async (
  deps: AuditDeps<"slackApps">,
  ws: WorkspaceId,
  userId: string,
  token: string,
): Promise<SlackAccount> => {
  const apps = ((await deps.slackApps()) ?? []).filter((app) => isAppUsableBy(app, ws));
  const person = await verifyLinkToken(apps, token, deps.now());
  if (person === undefined || person.workspaceId !== ws || !(await consumeSlackLink(deps, ws, userId, token))) {
    const message = "This link from Slack has expired or was used. Press the button in Slack again.";
    throw refuseField("token", "invalid", message);
  }
  const { userId: _userId, ...account } = await storeSlackAccount(deps, person, userId);
  return account;
};
