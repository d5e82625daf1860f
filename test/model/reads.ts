import type { HttpFunction } from "../faults/engine/functions.ts";
import { ruleOf, type RuleBody } from "./configure.ts";
import type { Ws } from "./history.ts";
import { recordOwnAcknowledgements, readEvent } from "./lifecycle.ts";
import { listShownIds } from "./notices.ts";
import { recordAck } from "./acknowledgement-ends.ts";
import { silenceOf, type SilenceBody } from "./silences.ts";
import {
  pickValue,
  expectStatus,
  currentValue,
  memberAt,
  recordAcknowledged,
  rankOf,
  checkNextState,
  type EventView,
  type Handlers,
  type WorkspaceModel,
  type NotificationView,
  type Play,
} from "./play.ts";

const NOTIFICATIONS = 200;

const listNotifications = (play: Play, ws: Ws, as: string) =>
  play.call<NotificationView[]>(ws, as, "list-notifications", { query: { limit: String(NOTIFICATIONS) } });

/** Checks that the notification's event is in this workspace, and that the statuses that people reported are kept. */
const checkSeen = (play: Play, model: WorkspaceModel, seen: NotificationView, ids: readonly string[]): void => {
  if (!ids.includes(seen.event.id))
    play.violations.push(
      `${model.fixture.ws} shows ${seen.id} of ${seen.event.id}, which belongs to another workspace`,
    );
  const reported = model.reports.get(seen.id);
  if (reported === undefined) return;
  if (seen.status !== reported.status)
    play.violations.push(`${seen.id} was reported ${reported.status} and is ${seen.status}`);
  if (seen.acknowledgedAt !== reported.acknowledgedAt)
    play.violations.push(`${seen.id} was acknowledged at ${reported.acknowledgedAt}, then at ${seen.acknowledgedAt}`);
};

export const checkConfiguration = async (play: Play, ws: Ws, as: string): Promise<void> => {
  const model = play.model[ws];
  const now = currentValue(model.people);
  const compare = (what: string, found: readonly string[], wanted: readonly string[]) => {
    if (found.toSorted().join() !== wanted.toSorted().join())
      play.violations.push(`${ws} lists the ${what} [${found.join(" ")}] instead of [${wanted.join(" ")}]`);
  };
  const listIds = async (name: HttpFunction, path: Record<string, string> = {}) =>
    (await play.call<{ id: string; userId: string }[]>(ws, as, name, { path })).body.map(
      ({ id, userId }) => id ?? userId,
    );
  compare("members", await listIds("list-members"), now.members);
  compare(
    "groups",
    await listIds("list-groups"),
    now.groups.map(({ id }) => id),
  );
  for (const { id, memberIds } of now.groups)
    compare(`members of ${id}`, await listIds("list-group-members", { groupId: id }), memberIds);
  compare(
    "policies",
    await listIds("list-escalation-policies"),
    now.policies.map(({ id }) => id),
  );
  compare(
    "API keys",
    await listIds("list-api-keys"),
    model.keys.filter(({ live }) => live).map(({ id }) => id),
  );
  const silences = (await play.call<SilenceBody[]>(ws, as, "list-silences")).body.map(silenceOf);
  compare(
    "silences",
    silences.map((silence) => JSON.stringify(silence)),
    currentValue(model.silences).map((silence) => JSON.stringify(silence)),
  );
  const rules = (await play.call<RuleBody[]>(ws, as, "list-routing-rules")).body.map(ruleOf);
  compare(
    "rules",
    rules.map((rule) => JSON.stringify(rule)),
    currentValue(model.rules).map((rule) => JSON.stringify(rule)),
  );
};

export const reads = {
  report: async (play, { ws, by, pick, status }) => {
    const model = play.model[ws];
    const as = memberAt(model, by);
    const all = await listNotifications(play, ws, as);
    const chosen = pickValue(all.body, pick);
    if (!expectStatus(play, "list notifications", all, [200]) || chosen === undefined) return undefined;
    // If an added person acknowledges, the whole event is acknowledged.
    const isWhole = status === "ACKNOWLEDGED" && chosen.requiresAck && chosen.added !== null;
    const whole = isWhole ? await readEvent(play, ws, as, chosen.event.id) : undefined;
    const answer = await play.call<NotificationView>(ws, as, "update-notification", {
      path: { notificationId: chosen.id },
      body: { status },
    });
    const may = status === "ACKNOWLEDGED" || chosen.user.id === as;
    if (!expectStatus(play, `report ${status} of ${chosen.id}`, answer, may ? [200] : [403]) || !may) return "report";
    if (status === "ACKNOWLEDGED")
      play.clients.acknowledgements.push({
        ws,
        notificationId: chosen.id,
        answeredAt: answer.to,
        status: answer.status,
      });
    const before = model.reports.get(chosen.id);
    // A status report does not make a failed push delivered.
    if (status !== "ACKNOWLEDGED" && before === undefined && answer.body.status === "FAILED") return "report";
    const after = rankOf(before?.status ?? "") >= rankOf(status) ? before!.status : status;
    if (answer.body.status !== after)
      play.violations.push(`${chosen.id} is ${answer.body.status} after the report ${status}, not ${after}`);
    const { from, to } = answer;
    const acknowledged = before?.acknowledged ?? (status === "ACKNOWLEDGED" ? { from, to } : undefined);
    const { acknowledgedAt } = answer.body;
    const at = acknowledgedAt === null ? -1 : Date.parse(acknowledgedAt);
    if (acknowledged !== undefined && (at < acknowledged.from || at > acknowledged.to))
      play.violations.push(`${chosen.id} was acknowledged at ${acknowledgedAt}, not when the model acknowledged it`);
    model.reports.set(chosen.id, { status: after, acknowledged, acknowledgedAt });
    if (status === "ACKNOWLEDGED" && before?.acknowledged === undefined)
      recordAcknowledged(model, chosen, { by: as, from, to, sure: true, ofEvent: chosen.added !== null });
    if (status === "ACKNOWLEDGED" && chosen.requiresAck && model.events.some(({ id }) => id === chosen.event.id))
      await recordAck(play, model, as, chosen.event.id, answer, {
        rule: chosen.added === null ? chosen.rule.id : null,
        snoozed: null,
        again: chosen.added === null && before?.acknowledged !== undefined,
      });
    if (whole !== undefined) {
      const after = await readEvent(play, ws, as, chosen.event.id);
      recordOwnAcknowledgements(play, model, as, answer, [whole, after], after.state === "acknowledged");
    }
    return `report ${status} of ${chosen.id} (${chosen.user.id}, step ${chosen.escalationStep})`;
  },
  listEvents: async (play, { ws, by, page, limit }) => {
    const model = play.model[ws];
    const answer = await play.call<{ total: number; items: { id: string }[] }>(ws, memberAt(model, by), "list-events", {
      query: { page: String(page), limit: String(limit) },
    });
    if (!expectStatus(play, "list events", answer, [200])) return "list events";
    const newest = await listShownIds(play, model);
    const { total, items } = answer.body;
    const ids = items.map(({ id }) => id);
    const right = newest.slice((page - 1) * limit, page * limit);
    const exact = model.lost.length === 0 ? ids.join() === right.join() : ids.every((id) => newest.includes(id));
    if (!exact || total < newest.length || total > newest.length + model.lost.length)
      play.violations.push(
        `page ${page} of ${ws} by ${limit} has ${total}: [${ids.join(" ")}] instead of ${newest.length}: [${right.join(" ")}]`,
      );
    return `list events, page ${page} by ${limit}`;
  },
  readEvent: async (play, { ws, by, pick }) => {
    const model = play.model[ws];
    const event = pickValue(model.events, pick);
    if (event === undefined) return undefined;
    const answer = await play.call<EventView>(ws, memberAt(model, by), "get-event", { path: { eventId: event.id } });
    if (!expectStatus(play, `read ${event.id}`, answer, [200])) return "read event";
    if (answer.body.title !== event.title)
      play.violations.push(`${event.id} of ${ws} is shown as ${answer.body.title}`);
    checkNextState(play, model, answer.body);
    for (const seen of answer.body.notifications) checkSeen(play, model, seen, [event.id]);
    return `read ${event.id}`;
  },
  listNotifications: async (play, { ws, by }) => {
    const model = play.model[ws];
    const answer = await listNotifications(play, ws, memberAt(model, by));
    if (!expectStatus(play, "list notifications", answer, [200])) return "list notifications";
    const ids = await listShownIds(play, model);
    for (const seen of answer.body) checkSeen(play, model, seen, ids);
    return `list notifications: ${answer.body.length}`;
  },
  listConfiguration: async (play, { ws, by }) => {
    await checkConfiguration(play, ws, memberAt(play.model[ws], by));
    return "list the configuration";
  },
} satisfies Partial<Handlers>;
