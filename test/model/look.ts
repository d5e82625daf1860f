import type { HttpFunction } from "../faults/engine/functions.ts";
import { ruleOf, type RuleBody } from "./configure.ts";
import type { Ws } from "./history.ts";
import { recordOwnAcknowledgements, readEvent } from "./life.ts";
import { listShownIds } from "./notices.ts";
import { recordHold } from "./terms.ts";
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
  type Kept,
  type NotificationView,
  type Play,
} from "./play.ts";

const NOTIFICATIONS = 200;

const listNotifications = (play: Play, ws: Ws, as: string) =>
  play.ask<NotificationView[]>(ws, as, "list-notifications", { query: { limit: String(NOTIFICATIONS) } });

/** Checks that the notification's event is in this workspace, and that the statuses that people reported are kept. */
const checkSeen = (play: Play, kept: Kept, seen: NotificationView, ids: readonly string[]): void => {
  if (!ids.includes(seen.event.id))
    play.violations.push(`${kept.fixture.ws} shows ${seen.id} of ${seen.event.id}, which it does not have`);
  const reported = kept.reports.get(seen.id);
  if (reported === undefined) return;
  if (seen.status !== reported.status)
    play.violations.push(`${seen.id} was reported ${reported.status} and is ${seen.status}`);
  if (seen.acknowledgedAt !== reported.acknowledgedAt)
    play.violations.push(`${seen.id} was acknowledged at ${reported.acknowledgedAt}, then at ${seen.acknowledgedAt}`);
};

export const checkConfiguration = async (play: Play, ws: Ws, as: string): Promise<void> => {
  const kept = play.kept[ws];
  const now = currentValue(kept.people);
  const compare = (what: string, found: readonly string[], wanted: readonly string[]) => {
    if (found.toSorted().join() !== wanted.toSorted().join())
      play.violations.push(`${ws} lists the ${what} [${found.join(" ")}] instead of [${wanted.join(" ")}]`);
  };
  const listIds = async (name: HttpFunction, path: Record<string, string> = {}) =>
    (await play.ask<{ id: string; userId: string }[]>(ws, as, name, { path })).body.map(
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
    kept.keys.filter(({ live }) => live).map(({ id }) => id),
  );
  const silences = (await play.ask<SilenceBody[]>(ws, as, "list-silences")).body.map(silenceOf);
  compare(
    "silences",
    silences.map((silence) => JSON.stringify(silence)),
    currentValue(kept.silences).map((silence) => JSON.stringify(silence)),
  );
  const rules = (await play.ask<RuleBody[]>(ws, as, "list-routing-rules")).body.map(ruleOf);
  compare(
    "rules",
    rules.map((rule) => JSON.stringify(rule)),
    currentValue(kept.rules).map((rule) => JSON.stringify(rule)),
  );
};

export const looks = {
  report: async (play, { ws, by, pick, status }) => {
    const kept = play.kept[ws];
    const as = memberAt(kept, by);
    const all = await listNotifications(play, ws, as);
    const chosen = pickValue(all.body, pick);
    if (!expectStatus(play, "list notifications", all, [200]) || chosen === undefined) return undefined;
    // If an added person acknowledges, the whole event is acknowledged.
    const isWhole = status === "ACKNOWLEDGED" && chosen.requiresAck && chosen.added !== null;
    const whole = isWhole ? await readEvent(play, ws, as, chosen.event.id) : undefined;
    const answer = await play.ask<NotificationView>(ws, as, "update-notification", {
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
    const before = kept.reports.get(chosen.id);
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
      play.violations.push(`${chosen.id} was acknowledged at ${acknowledgedAt}, not when it was`);
    kept.reports.set(chosen.id, { status: after, acknowledged, acknowledgedAt });
    if (status === "ACKNOWLEDGED" && before?.acknowledged === undefined)
      recordAcknowledged(kept, chosen, { by: as, from, to, sure: true, ofEvent: chosen.added !== null });
    if (status === "ACKNOWLEDGED" && chosen.requiresAck && kept.events.some(({ id }) => id === chosen.event.id))
      await recordHold(play, kept, as, chosen.event.id, answer, {
        rule: chosen.added === null ? chosen.rule.id : null,
        snoozed: null,
        again: chosen.added === null && before?.acknowledged !== undefined,
      });
    if (whole !== undefined) {
      const after = await readEvent(play, ws, as, chosen.event.id);
      recordOwnAcknowledgements(play, kept, as, answer, [whole, after], after.state === "acknowledged");
    }
    return `report ${status} of ${chosen.id} (${chosen.user.id}, step ${chosen.escalationStep})`;
  },
  listEvents: async (play, { ws, by, page, limit }) => {
    const kept = play.kept[ws];
    const answer = await play.ask<{ total: number; items: { id: string }[] }>(ws, memberAt(kept, by), "list-events", {
      query: { page: String(page), limit: String(limit) },
    });
    if (!expectStatus(play, "list events", answer, [200])) return "list events";
    const newest = await listShownIds(play, kept);
    const { total, items } = answer.body;
    const ids = items.map(({ id }) => id);
    const right = newest.slice((page - 1) * limit, page * limit);
    const exact = kept.lost.length === 0 ? ids.join() === right.join() : ids.every((id) => newest.includes(id));
    if (!exact || total < newest.length || total > newest.length + kept.lost.length)
      play.violations.push(
        `page ${page} of ${ws} by ${limit} has ${total}: [${ids.join(" ")}] instead of ${newest.length}: [${right.join(" ")}]`,
      );
    return `list events, page ${page} by ${limit}`;
  },
  readEvent: async (play, { ws, by, pick }) => {
    const kept = play.kept[ws];
    const event = pickValue(kept.events, pick);
    if (event === undefined) return undefined;
    const answer = await play.ask<EventView>(ws, memberAt(kept, by), "get-event", { path: { eventId: event.id } });
    if (!expectStatus(play, `read ${event.id}`, answer, [200])) return "read event";
    if (answer.body.title !== event.title)
      play.violations.push(`${event.id} of ${ws} is shown as ${answer.body.title}`);
    checkNextState(play, kept, answer.body);
    for (const seen of answer.body.notifications) checkSeen(play, kept, seen, [event.id]);
    return `read ${event.id}`;
  },
  listNotifications: async (play, { ws, by }) => {
    const kept = play.kept[ws];
    const answer = await listNotifications(play, ws, memberAt(kept, by));
    if (!expectStatus(play, "list notifications", answer, [200])) return "list notifications";
    const ids = await listShownIds(play, kept);
    for (const seen of answer.body) checkSeen(play, kept, seen, ids);
    return `list notifications: ${answer.body.length}`;
  },
  listConfiguration: async (play, { ws, by }) => {
    await checkConfiguration(play, ws, memberAt(play.kept[ws], by));
    return "list the configuration";
  },
} satisfies Partial<Handlers>;
