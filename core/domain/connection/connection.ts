import * as v from "valibot";
import { versionedEntries } from "../basics/authored.ts";
import { patchSchema } from "../basics/changes.ts";
import { WorkspaceId } from "../basics/ids.ts";
import { CONNECTION_TIES_MAX, NAME_MAX_CODE_POINTS, URL_MAX_CODE_POINTS } from "../basics/limits.ts";
import { normalizeUrl } from "../basics/web-address.ts";
import { nameSchema, textSchema } from "../basics/text.ts";
import { toIso } from "../basics/time.ts";
import type { TimelineEntry } from "../webhook/timeline.ts";
import { type DeliveryQueue, queueStateEntries, toQueueState, WEBHOOK_MOVES } from "../webhook/webhook.ts";
import { type UserGroupState, KEPT, UserGroupId } from "../on-call/user-group.ts";

/*
 * A connection links a channel or user group in a chat to rules or groups. A Slack channel gets one message per event, which is
 * edited when the event changes. A Microsoft Teams channel gets one card per timeline entry. A Slack user group gets no messages;
 * its members are kept equal to the people on call.
 */

const idListSchema = (field: string, noun: string, messageEnd = ", or null") =>
  v.pipe(
    v.array(v.string(`${field} must be an array of ids.`), `${field} must be an array of ids of ${noun}${messageEnd}.`),
    v.minLength(1, `${field} must name at least one of the ${noun}${messageEnd === "" ? "" : ", or be null"}.`),
    v.maxLength(CONNECTION_TIES_MAX, `${field} must name at most ${CONNECTION_TIES_MAX} ${noun}.`),
    v.check((ids) => new Set(ids).size === ids.length, `${field} must name each id once.`),
  );

const entries = {
  name: nameSchema("name", NAME_MAX_CODE_POINTS),
  ruleIds: v.nullable(idListSchema("ruleIds", "rules")),
  groupIds: v.nullable(idListSchema("groupIds", "groups")),
  paused: v.boolean("paused must be true or false."),
};

/** The id of a channel never changes, but its name may. */
export const ChannelId = v.pipe(
  v.string("channel must be a string."),
  v.regex(
    /^[CG][A-Z0-9]{6,20}$/,
    "channel must be the id of a channel, such as C0123456789; Slack shows it at the end of the channel's details.",
  ),
);

const made = {
  name: entries.name,
  ruleIds: v.optional(entries.ruleIds, null),
  groupIds: v.optional(entries.groupIds, null),
  paused: v.optional(entries.paused, false),
};

export const CONNECTION_KINDS = ["slack", "teams", "slack_user_group"] as const;
export const KIND_MESSAGE = "kind must be slack, teams or slack_user_group.";

/** A channel without rules and groups gets all events that notify somebody. */
export const ConnectionInput = v.variant(
  "kind",
  [
    v.strictObject({ ...made, kind: v.literal("slack"), channel: ChannelId }),
    v.strictObject({
      ...made,
      kind: v.literal("teams"),
      url: v.pipe(textSchema("url", URL_MAX_CODE_POINTS), v.transform(normalizeUrl)),
    }),
    v.strictObject({
      name: made.name,
      kind: v.literal("slack_user_group"),
      userGroup: UserGroupId,
      ruleIds: v.optional(v.null("ruleIds must be null: a user group follows groups, not rules."), null),
      groupIds: idListSchema("groupIds", "groups", ""),
      paused: made.paused,
    }),
  ],
  KIND_MESSAGE,
);
export type ConnectionInput = v.InferOutput<typeof ConnectionInput>;

export const ConnectionPatch = patchSchema(entries);
export type ConnectionPatch = v.InferOutput<typeof ConnectionPatch>;

export const Connection = v.object({
  id: v.string(),
  workspaceId: WorkspaceId,
  name: v.string(),
  kind: v.picklist(CONNECTION_KINDS),
  /** Slack only. */
  channel: v.optional(v.string()),
  /** Slack only: the id of the user group whose members are always the people on call. */
  userGroup: v.optional(v.string()),
  /** Teams only. Anybody who knows the URL can post to the channel, so the URL is a secret. */
  url: v.optional(v.string()),
  ruleIds: v.nullable(v.array(v.string())),
  groupIds: v.nullable(v.array(v.string())),
  paused: v.boolean(),
  ...versionedEntries,
});
export type Connection = v.InferOutput<typeof Connection>;

export const isChatChannel = ({ kind }: Pick<Connection, "kind">): boolean => kind !== "slack_user_group";

type Filter = Pick<Connection, "ruleIds" | "groupIds">;
type Rule = { id: string; targets: readonly { groupId?: string | undefined }[] };

/** Returns whether a rule matched, and the connection has the rule, one of the rule's target groups, or no rules and groups. */
export const receivesEvent = ({ ruleIds, groupIds }: Filter, matchingRules: readonly Rule[]): boolean => {
  if (matchingRules.length === 0) return false;
  if (ruleIds === null && groupIds === null) return true;
  return matchingRules.some(
    ({ id, targets }) =>
      ruleIds?.includes(id) === true ||
      targets.some(({ groupId }) => groupId !== undefined && groupIds?.includes(groupId) === true),
  );
};

/** Shows only the host of the Teams URL, which is a secret. */
export const ConnectionView = v.object({
  id: v.string(),
  workspaceId: WorkspaceId,
  name: v.string(),
  kind: v.picklist(CONNECTION_KINDS),
  channel: v.nullable(v.string()),
  userGroup: v.nullable(v.string()),
  host: v.nullable(v.string()),
  ruleIds: v.nullable(v.array(v.string())),
  groupIds: v.nullable(v.array(v.string())),
  paused: v.boolean(),
  ...queueStateEntries,
  /** The state of a user group after its first update. `kept`: why the group still has its previous members. */
  follows: v.nullable(
    v.object({
      at: v.string(),
      userIds: v.array(v.string()),
      unlinkedIds: v.array(v.string()),
      kept: v.nullable(v.picklist(KEPT)),
    }),
  ),
  ...versionedEntries,
});
export type ConnectionView = v.InferOutput<typeof ConnectionView>;
/** The fields that the service changes when it delivers; people cannot change them. */
export const CONNECTION_MOVES: readonly string[] = [...WEBHOOK_MOVES, "follows"];

const readHost = ({ url }: Connection): string | null => (url === undefined ? null : (URL.parse(url)?.host ?? null));

const toUserGroupStateView = ({ at, userIds, unlinkedIds, kept }: UserGroupState) => ({
  at: toIso(at),
  userIds,
  unlinkedIds,
  kept,
});

export const toConnectionView = (connection: Connection, queue: DeliveryQueue): ConnectionView => {
  const { id, workspaceId, name, kind, ruleIds, groupIds, paused, version, createdAt, updatedAt } = connection;
  return {
    id,
    workspaceId,
    name,
    kind,
    channel: connection.channel ?? null,
    userGroup: connection.userGroup ?? null,
    host: readHost(connection),
    ruleIds,
    groupIds,
    paused,
    ...toQueueState(paused, queue),
    follows: queue.followed === undefined ? null : toUserGroupStateView(queue.followed),
    version,
    createdAt,
    updatedAt,
  };
};

/** The hosts of workflow URLs in all Microsoft clouds. */
const WORKFLOW_HOSTS =
  /^(?:[a-z0-9-]+\.)+(?:logic\.azure\.com|api\.powerplatform\.com|logic\.azure\.us|logic\.azure\.cn)$/;

/** Returns the fault of a Teams URL; undefined if there is none. Any URL with `standInPrefix` is valid, for local development. */
export const findWorkflowUrlFault = (text: string, standInPrefix: string | undefined): string | undefined => {
  const url = URL.parse(text);
  // Compares the parsed URL, because `..` and backslashes in the text could lead to an address outside of the prefix.
  if (standInPrefix !== undefined && url?.href.startsWith(standInPrefix) === true) return undefined;
  const isKnown =
    url?.protocol === "https:" &&
    url.port === "" &&
    url.username === "" &&
    url.password === "" &&
    WORKFLOW_HOSTS.test(url.hostname);
  return isKnown
    ? undefined
    : 'url must be the URL that a Teams workflow shows in its step "When a Teams webhook request is received": https, at logic.azure.com or api.powerplatform.com.';
};

const timelineWords: Readonly<Record<string, string>> = {
  "event.opened": "Opened",
  "event.acknowledged": "Acknowledged",
  "event.escalated": "Escalated",
  "event.unreached": "Nobody was reached",
  "event.resolved": "Resolved",
};

/** Returns a phrase such as "Acknowledged by Dan". `escapeName`: makes a name safe for the message's format. */
export const describeTimelineEntry = (
  { type, state, by }: TimelineEntry,
  escapeName: (name: string) => string = (name) => name,
): string => {
  const what = type === "event.resolved" && state === "expired" ? "Expired" : (timelineWords[type] ?? type);
  return by === undefined || by.name === "" ? what : `${what} by ${escapeName(by.name)}`;
};
