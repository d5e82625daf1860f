import { workspaces, type Ws } from "./history.ts";
import { checkConfiguration } from "./look.ts";
import { acknowledgedAt, rankOf, struck, type Answered, type Kept, type NotificationView, type Play } from "./play.ts";
import {
  faultOfEscalation,
  heldWithin,
  named,
  ordersOf,
  type Firing,
  type Order,
  type Posted,
  type Target,
} from "./specification.ts";

/* What must have come of a history when all is quiet. */

const FINISHED_MS = 180_000;
const UNDISTURBED_MS = 5000;
const PAGE = 3;

/** What only shows while it happens. */
export type Seen = {
  /** When the rules of an event were asked. */
  plannedAt: (ws: Ws, eventId: string) => number | undefined;
  /** When a sender last wrote to the pack of a notification. */
  sentAt: (ws: Ws, notificationId: string) => number | undefined;
};

type EventView = {
  matched: boolean;
  matchedRules: { id: string; version: number }[];
  notifications: NotificationView[];
};

const sameSet = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.toSorted().join() === other.toSorted().join();

const describeOrders = (orders: readonly Order[]): string =>
  `[${orders.map(({ rule, recipients, priority }) => `${rule.id} v${rule.version} ${priority}: ${recipients.join(" ")}`).join("; ")}]`;

/** Whether an event's view is what these orders call for. */
const fits = (orders: readonly Order[], view: EventView): boolean => {
  const rules = orders.map(({ rule }) => `${rule.id} ${rule.version}`);
  if (
    !sameSet(
      rules,
      view.matchedRules.map(({ id, version }) => `${id} ${version}`),
    )
  )
    return false;
  const wanted = orders.flatMap(({ rule, recipients, priority, requiresAck }) =>
    recipients.map((userId) => [rule.id, rule.version, userId, priority, requiresAck].join(" ")),
  );
  const first = view.notifications.filter(({ escalationStep }) => escalationStep === 0);
  const seen = first.map(({ rule, user, priority, requiresAck }) =>
    [rule.id, rule.version, user.id, priority, requiresAck].join(" "),
  );
  return sameSet(wanted, seen);
};

const firingsOf = (view: EventView, ruleId: string): Map<number, Firing> => {
  const steps = view.notifications.filter(({ rule, escalationStep }) => rule.id === ruleId && escalationStep > 0);
  return new Map(
    [...Map.groupBy(steps, ({ escalationStep }) => escalationStep)].map(([step, told]) => [
      step,
      { at: Date.parse(told[0]!.createdAt), userIds: told.map(({ user }) => user.id) },
    ]),
  );
};

const judgeEvent = (play: Play, kept: Kept, posted: Posted, view: EventView, plannedAt: number | undefined): void => {
  const { world, violations } = play;
  const say = (text: string) => violations.push(`${posted.title} (${posted.id}): ${text}`);
  if (plannedAt === undefined || !view.matched) return void say("its rules were never asked");
  const calm = play.calm();
  const latest = (due: number) => (calm ? due + UNDISTURBED_MS : Math.max(due, world.disturbedUntil()) + FINISHED_MS);
  if (plannedAt > latest(posted.to)) say(`P4: its rules were asked ${plannedAt - posted.to} ms after its answer`);

  const ways = heldWithin(kept.rules, posted.from, plannedAt).flatMap((rules) =>
    heldWithin(kept.people, posted.from, plannedAt).map((people) => ordersOf(posted, rules, people)),
  );
  const right = ways.filter((orders) => fits(orders, view));
  if (right.length === 0) {
    const told = view.notifications
      .filter(({ escalationStep }) => escalationStep === 0)
      .map(({ rule, user, priority }) => `${rule.id} v${rule.version} ${priority}: ${user.id}`);
    return void say(`P1: told [${told.join("; ")}] instead of ${[...new Set(ways.map(describeOrders))].join(" or ")}`);
  }

  const mayName = (targets: readonly Target[], from: number, to: number) =>
    heldWithin(kept.people, from, to).map((people) => named(targets, people));
  for (const { id } of view.matchedRules) {
    const faults = right.map((orders) =>
      faultOfEscalation({
        order: orders.find(({ rule }) => rule.id === id)!,
        plannedAt: planTime(view, plannedAt),
        firings: firingsOf(view, id),
        acknowledged: acknowledgedAt(kept, posted.id, id),
        mayName,
        latest,
      }),
    );
    if (faults.every((fault) => fault !== undefined)) say(`escalation of ${id}: ${faults[0]}`);
  }
  return undefined;
};

/** The time that a plan says of itself, where a notification shows it: it is made a moment before it is stored. */
const planTime = (view: EventView, plannedAt: number): number => {
  const shown = view.notifications.find(({ escalationStep }) => escalationStep === 0)?.createdAt;
  return shown === undefined ? plannedAt : Date.parse(shown);
};

const isGood = (token: string): boolean => !token.startsWith("stale-") && !token.startsWith("invalid-");

/** The devices of a person at the time of sending have the push, and no others. */
const judgePushes = (play: Play, kept: Kept, seen: NotificationView, sentAt: number): void => {
  const { world, violations } = play;
  const { ws } = kept.fixture;
  const say = (text: string) => violations.push(`${ws} ${seen.id} of ${seen.user.id}, ${seen.status}: ${text}`);
  const calls = world.fcm.calls.filter((call) => call.workspaceId === ws && call.notificationId === seen.id);
  const sets = heldWithin(play.devices, Date.parse(seen.createdAt), sentAt).map(
    (devices) => devices[ws as Ws][seen.user.id] ?? [],
  );
  for (const { token } of calls)
    if (!sets.some((tokens) => tokens.includes(token))) say(`pushed to ${token}, which is of somebody else`);
  const taken = new Set(calls.filter(({ takenAt }) => takenAt !== undefined).map(({ token }) => token));
  const reported = kept.reports.get(seen.id);
  const needless = seen.failedReason?.startsWith("Not sent: the event was acknowledged") === true;
  const givenUp = seen.failedReason?.includes("no answer") === true;
  const wanted = reported?.status ?? (taken.size > 0 && !givenUp ? "SENT" : "FAILED");
  if (seen.status !== wanted) say(`it should be ${wanted}`);
  if (seen.acknowledgedAt !== (reported?.acknowledgedAt ?? null)) say(`acknowledged at ${seen.acknowledgedAt}`);
  if (needless && acknowledgedAt(kept, seen.event.id, seen.rule.id) === undefined) say("nobody acknowledged it");
  if (needless || givenUp || rankOf(reported?.status ?? "QUEUED") >= rankOf("OPENED")) return;
  const always = (sets[0] ?? []).filter((token) => sets.every((tokens) => tokens.includes(token)));
  for (const token of always.filter(isGood)) {
    // A call without an answer and another fault: it may have been called twice for all that is known, and is left alone.
    const unanswered = calls.some((call) => call.token === token && (call.answer ?? "unknown") === "unknown");
    if (!taken.has(token) && !(unanswered && struck(world) > 1)) say(`never pushed to ${token}`);
  }
  if (seen.status === "FAILED") judgeReason(say, seen.failedReason, sets);
};

const judgeReason = (
  say: (text: string) => void,
  reason: string | null,
  sets: readonly (readonly string[])[],
): void => {
  const none = sets.some((tokens) => tokens.every((token) => token.startsWith("stale-")));
  const counts = sets.flatMap((tokens) => [
    tokens.length,
    tokens.filter((token) => !token.startsWith("stale-")).length,
  ]);
  const all = counts.filter((count) => count > 0).map((count) => `FCM: all ${count} device(s) failed`);
  if (reason === null || ![...(none ? ["No registered devices for user"] : []), ...all].includes(reason))
    say(`it failed for "${reason}"`);
};

const judgePages = async (play: Play, kept: Kept, ws: Ws, as: string): Promise<void> => {
  const ids: string[] = [];
  for (let page = 1; ; page += 1) {
    const { body }: Answered<{ total: number; items: { id: string }[] }> = await play.ask(ws, as, "list-events", {
      query: { page: String(page), limit: String(PAGE) },
    });
    ids.push(...body.items.map(({ id }) => id));
    if (body.total !== kept.events.length)
      play.violations.push(`${ws} has a total of ${body.total}, not ${kept.events.length}`);
    if (body.items.length < PAGE) break;
  }
  const newest = kept.events
    .map(({ id }) => id)
    .toSorted()
    .toReversed();
  if (ids.join() !== newest.join())
    play.violations.push(`the pages of ${ws} hold [${ids.join(" ")}], not [${newest.join(" ")}]`);
};

/** Keys that were deleted open nothing; those that were not do. */
const judgeKeys = async (play: Play, kept: Kept): Promise<void> => {
  for (const { id, text, live } of kept.keys.filter(({ text }) => text !== undefined)) {
    const { status } = await play.world.http("ping", { headers: { "x-api-key": text ?? "" } });
    if (status !== (live ? 200 : 401))
      play.violations.push(`P6: the ${live ? "good" : "deleted"} key ${id} is answered ${status}`);
  }
};

/** Looks at everything through the interface, as a member of each workspace. */
export const judge = async (play: Play, { plannedAt, sentAt }: Seen): Promise<void> => {
  for (const ws of workspaces) {
    const kept = play.kept[ws];
    const as = kept.people.at(-1)!.value.members[0]!;
    await judgePages(play, kept, ws, as);
    await checkConfiguration(play, ws, as);
    await judgeKeys(play, kept);
    const shown: string[] = [];
    for (const posted of kept.events) {
      const { body } = await play.ask<EventView>(ws, as, "get-event", { path: { eventId: posted.id } });
      judgeEvent(play, kept, posted, body, plannedAt(ws, posted.id));
      for (const seen of body.notifications) {
        shown.push(seen.id);
        judgePushes(play, kept, seen, sentAt(ws, seen.id) ?? play.world.kernel.now());
      }
    }
    const { body } = await play.ask<NotificationView[]>(ws, as, "list-notifications", { query: { limit: "200" } });
    const listed = body.map(({ id }) => id);
    const inOrder = body.every(({ createdAt }, index) => index === 0 || createdAt <= body[index - 1]!.createdAt);
    if (!inOrder || (listed.length < 200 && !sameSet(listed, shown)))
      play.violations.push(`${ws} lists the notifications [${listed.join(" ")}] instead of [${shown.join(" ")}]`);
  }
  const known = new Set(workspaces.flatMap((ws) => play.kept[ws].events.map(({ id }) => `${ws} ${id}`)));
  for (const { workspaceId: ws, token, eventId } of play.world.fcm.calls)
    if (!known.has(`${ws} ${eventId}`)) play.violations.push(`P5: a push of ${ws} for ${eventId} went to ${token}`);
};
