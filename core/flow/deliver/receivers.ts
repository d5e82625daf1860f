import type { Deps } from "../../deps.ts";
import type { WorkspaceId } from "../../domain/basics/ids.ts";
import type { DeliveryTrouble } from "../../domain/event/notices.ts";
import { toLifecycleView } from "../../domain/event/lifecycle.ts";
import type { PlannedEvent } from "../../domain/event/stored-event.ts";
import { MINUTE_MS } from "../../domain/basics/units.ts";
import { type Connection, isChatChannel } from "../../domain/connection/connection.ts";
import { NO_SLACK_APP, parseSlackAnswer, explainSlackError } from "../../domain/connection/slack-answer.ts";
import { findAppOfWorkspace } from "../../domain/connection/slack-app.ts";
import { NOBODY_LINKED } from "../../domain/on-call/user-group.ts";
import { buildSlackMessage } from "../../domain/connection/slack-message.ts";
import { buildTeamsCard } from "../../domain/connection/teams-card.ts";
import type { PostOutcome } from "../../domain/webhook/delivery-queue.ts";
import type { Message } from "../../domain/webhook/message.ts";
import { createSignedHeaders } from "../../domain/webhook/signature.ts";
import type { Webhook } from "../../domain/webhook/webhook.ts";
import { isInShadow } from "../../domain/workspace/control.ts";
import { readConnection } from "../../store/delivery/connections.ts";
import { readControl } from "../../store/events/control.ts";
import { readEvent } from "../../store/events/events.ts";
import { connectionPrefix } from "../../store/keys.ts";
import { putChannelPost, readChannelPost } from "../../store/delivery/slack.ts";
import { readTimeline } from "../../store/delivery/delivery-queues.ts";
import { readWebhook } from "../../store/delivery/webhooks.ts";
import { updateUserGroup } from "../admin/fill-user-group.ts";
import { readWrittenViews } from "../read/read-event.ts";

export type ReceiverDeps = Pick<Deps, "table" | "now" | "post" | "webhookKey" | "baseUrl" | "slack" | "slackApps">;

/** `shown`: the receiver shows the change already. `unwanted`: the webhook no longer wants the type, or a shadow has begun. */
export type SendOutcome = PostOutcome | "shown" | "unwanted";

export type Receiver = {
  ws: WorkspaceId;
  id: string;
  name: string;
  kind: "webhook" | "connection";
  /** The shortest time between two messages. */
  paceMs: number;
  /** The longest pause between two tries; if undefined, the default for webhooks applies. */
  longestPauseMs?: number;
  send: (message: Message) => Promise<SendOutcome>;
  /** Explains an error code to the people who can fix the problem. */
  whyOf: (code: string) => string | undefined;
};

const WEBHOOK_PACE_MS = 100;
/** Slack allows one message a second per channel. */
const SLACK_PACE_MS = 1000;
/** A Teams workflow accepts four messages a second. */
const TEAMS_PACE_MS = 250;
/** The longest pause between two tries. The pause is short, so that user groups are updated soon after an outage of Slack. */
const USER_GROUP_PAUSE_MS = 5 * MINUTE_MS;

const createWebhookReceiver = (deps: ReceiverDeps, webhook: Webhook, webhookKey: string): Receiver => ({
  ws: webhook.workspaceId,
  id: webhook.id,
  name: webhook.name,
  kind: "webhook",
  paceMs: WEBHOOK_PACE_MS,
  send: async ({ id, type, body }) => {
    // The webhook's types may have changed since the message was queued.
    if (!webhook.types.includes(type)) return "unwanted";
    const headers = await createSignedHeaders(webhookKey, webhook, { id, body, atMs: deps.now() });
    return deps.post({ url: webhook.url, headers, body });
  },
  whyOf: () => undefined,
});

type OfEvent = { eventId: string; sequence: number };
/** Returns a function that calls `send` for messages about events, and skips other messages. */
const createEventSender =
  (send: (deps: ReceiverDeps, connection: Connection, message: OfEvent) => Promise<SendOutcome>) =>
  async (deps: ReceiverDeps, connection: Connection, { eventId, sequence }: Message): Promise<SendOutcome> =>
    eventId === undefined ? "shown" : send(deps, connection, { eventId, sequence });

const buildEventPageUrl = ({ baseUrl }: Pick<Deps, "baseUrl">, { workspaceId, eventId }: PlannedEvent): string =>
  `${baseUrl}/events/${eventId}?workspace=${workspaceId}`;

/** Reads an event and its timeline; undefined for an event without a plan. The event is never older than the timeline. */
const readEventWithTimeline = async (deps: ReceiverDeps, ws: WorkspaceId, eventId: string) => {
  const { chapters } = await readTimeline(deps, ws, eventId);
  const event = await readEvent(deps, ws, eventId);
  return event?.plan === undefined ? undefined : { chapters, event: { ...event, plan: event.plan } };
};

/** Posts a message for each event, and edits it after changes. After a lost answer, posts and edits a second message. */
const sendToSlack = async (
  deps: ReceiverDeps,
  { workspaceId: ws, id, channel = "" }: Connection,
  { eventId, sequence }: OfEvent,
): Promise<SendOutcome> => {
  const ref = { ws, id, eventId };
  const posted = await readChannelPost(deps, ref);
  if (posted !== undefined && posted.shown >= sequence) return "shown";
  const token = findAppOfWorkspace((await deps.slackApps()) ?? [], ws)?.botToken;
  if (token === undefined) return NO_SLACK_APP;
  const shown = await readEventWithTimeline(deps, ws, eventId);
  if (shown === undefined) return "shown";
  const { event, chapters } = shown;
  const life = toLifecycleView(event.life, await readWrittenViews(deps, event));
  const body = { channel, ...buildSlackMessage({ event, life, chapters, eventUrl: buildEventPageUrl(deps, event) }) };
  const postMessage = async () => parseSlackAnswer(await deps.slack({ method: "chat.postMessage", token, body }));
  const edited =
    posted === undefined
      ? undefined
      : parseSlackAnswer(await deps.slack({ method: "chat.update", token, body: { ...body, ts: posted.ts } }));
  const outcome = edited === undefined || edited.kind === "message_gone" ? await postMessage() : edited;
  if (outcome.kind === "message_gone") return { kind: "refused", code: outcome.code };
  if (outcome.kind === "taken") {
    const ts = outcome.ts ?? posted?.ts;
    if (ts !== undefined) await putChannelPost(deps, ref, { ts, shown: Math.max(chapters.length, sequence) });
  }
  return outcome;
};

/** Posts a timeline entry as a new card: a Teams workflow cannot edit cards. Posts nothing if the event or entry is gone. */
const sendToTeams = async (
  deps: ReceiverDeps,
  { workspaceId: ws, url = "" }: Connection,
  { eventId, sequence }: OfEvent,
): Promise<SendOutcome> => {
  const shown = await readEventWithTimeline(deps, ws, eventId);
  const entry = shown?.chapters[sequence - 1];
  if (shown === undefined || entry === undefined) return "shown";
  return deps.post({
    url,
    headers: {},
    body: buildTeamsCard(shown.event, entry, buildEventPageUrl(deps, shown.event)),
  });
};

/** Sets the members of a Slack user group to the people on call. Returns `unwanted` during a shadow. */
const sendToUserGroup = async (deps: ReceiverDeps, connection: Connection, { told }: Message): Promise<SendOutcome> => {
  if (isInShadow((await readControl(deps, connection.workspaceId)) ?? {}, deps.now())) return "unwanted";
  const done = await updateUserGroup(deps, connection, told);
  if (done.kind !== "kept") return done;
  // A group in which nobody is on call is normal. If the people on call have no linked Slack account, somebody must link one.
  return done.code === NOBODY_LINKED ? { kind: "refused", code: done.code, isFinal: true } : "shown";
};

const sends = {
  slack: createEventSender(sendToSlack),
  teams: createEventSender(sendToTeams),
  slack_user_group: sendToUserGroup,
} as const;

const createConnectionReceiver = (deps: ReceiverDeps, connection: Connection): Receiver => {
  const isTeams = connection.kind === "teams";
  return {
    ws: connection.workspaceId,
    id: connection.id,
    name: connection.name,
    kind: "connection",
    paceMs: isTeams ? TEAMS_PACE_MS : SLACK_PACE_MS,
    ...(isChatChannel(connection) ? {} : { longestPauseMs: USER_GROUP_PAUSE_MS }),
    send: (message) => sends[connection.kind](deps, connection, message),
    whyOf: isTeams ? () => undefined : explainSlackError,
  };
};

/** Reads the webhook or the connection with this id. Returns undefined if the receiver was deleted or paused. */
export const readReceiver = async (
  deps: ReceiverDeps,
  { ws, id }: { ws: WorkspaceId; id: string },
): Promise<Receiver | undefined> => {
  if (id.startsWith(connectionPrefix)) {
    const connection = await readConnection(deps, ws, id);
    return connection === undefined || connection.paused ? undefined : createConnectionReceiver(deps, connection);
  }
  const webhook = await readWebhook(deps, ws, id);
  // The key is read before the queue is claimed, so that an unreadable key does not count as a failure of the receiver.
  return webhook === undefined || webhook.paused
    ? undefined
    : createWebhookReceiver(deps, webhook, await deps.webhookKey());
};

/** Adds the receiver's explanation of a failed delivery, if the receiver has one for the failure's code. */
export const addExplanation = ({ whyOf }: Receiver, trouble: DeliveryTrouble): DeliveryTrouble => {
  const why = whyOf(trouble.code);
  return why === undefined ? trouble : { ...trouble, why };
};
