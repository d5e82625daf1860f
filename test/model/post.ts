import { listEventsBetween } from "../../core/store/events/events.ts";
import type { Move, Ws } from "./history.ts";
import {
  pickValue,
  DEDUPE_MS,
  findLife,
  TRIES,
  type EventBody,
  type Handlers,
  type WorkspaceModel,
  type Key,
  type Play,
} from "./play.ts";

const IDEMPOTENCY_MS = 24 * 3_600_000;

const findStoredId = async (play: Play, ws: Ws, title: string): Promise<string | undefined> =>
  (await listEventsBetween(play.world.faultlessDeps, ws, { from: 0, to: 1_000_000 })).find(
    ({ content }) => content.title === title,
  )?.eventId;

const recordPosted = (
  play: Play,
  model: WorkspaceModel,
  id: string,
  move: Move<"post">,
  { title, from, key: { sender, resolvesAny } }: { title: string; from: number; key: Key },
): void => {
  const { event, amount, priority, requiresAck, resolves, ws } = move;
  const dedupeKey = keyOf(move);
  if (model.events.some((known) => known.id === id)) play.violations.push(`${ws} assigned the id ${id} twice`);
  const to = play.world.kernel.now();
  model.events.push({
    ws,
    id,
    title,
    event,
    amount,
    priority,
    requiresAck,
    dedupeKey,
    resolves,
    sender,
    resolvesAny,
    from,
    to,
  });
};

/** Returns the dedupeKey of a post, or null if the post resolves its own key, because an event does not resolve itself. */
const keyOf = ({ dedupeKey, resolves }: Pick<Move<"post">, "dedupeKey" | "resolves">) =>
  dedupeKey === resolves ? null : dedupeKey;

const monthOf = (ms: number): string => new Date(ms).toISOString().slice(0, 7);
const isSurelyIn = (month: string, { from, to }: { from: number; to: number }) =>
  monthOf(from) === month && monthOf(to) === month;
const isMaybeIn = (month: string, { from, to }: { from: number; to: number }) =>
  monthOf(from) === month || monthOf(to) === month;

export const post: Handlers["post"] = async (play, move) => {
  const { ws, idempotencyKey, resolves } = move;
  const dedupeKey = keyOf(move);
  const { world, clients, violations } = play;
  const model = play.model[ws];
  const key = pickValue(
    model.keys.filter(({ text }) => text !== undefined),
    move.apiKey,
  )!;
  const known = idempotencyKey === null ? undefined : model.remembered.get(idempotencyKey);
  const from = world.kernel.now();
  const remembered = known !== undefined && from - known.from < IDEMPOTENCY_MS ? known : undefined;
  const title = `${ws} ${clients.posts.length + 1}`;
  const event: EventBody =
    remembered !== undefined && move.sameBody
      ? remembered.event
      : {
          event: move.event,
          title,
          priority: move.priority,
          data: { amount: move.amount },
          ...(move.requiresAck === null ? {} : { requiresAck: move.requiresAck }),
          ...(dedupeKey === null ? {} : { dedupeKey }),
          ...(resolves === null ? {} : { resolves }),
        };
  const { answers } = await clients.post({ ...model.fixture, apiKey: { id: key.id, key: key.text ?? "" } }, event, {
    ...(idempotencyKey === null ? {} : { idempotencyKey }),
    tries: dedupeKey === null && idempotencyKey === null ? 1 : TRIES + 4,
  });
  const to = world.kernel.now();
  const failures = answers.filter(({ status }) => status >= 500).length;
  const { status, eventId } = answers.at(-1)!;
  const addViolation = (instead: string) =>
    violations.push(`${title}: posted to ${ws}, answered ${status} ${eventId ?? ""} instead of ${instead}`);
  model.lost.push(...Array.from({ length: failures }, () => ({ from, to })));

  const stored = status === 401 ? undefined : await findStoredId(play, ws, title);
  const isNew = stored !== undefined && !model.events.some(({ id }) => id === stored);
  if (isNew) recordPosted(play, model, stored, move, { title, from, key });
  const claim = dedupeKey === null ? undefined : model.claims.get(dedupeKey);
  const { freed } = claim ?? {};
  const ends = claim === undefined ? [] : findLife(model, claim.eventId).resolved;
  const isFree =
    ends.some((end) => end.to < from) ||
    (freed !== undefined && (freed.atOnce || (play.seen.plannedAt(ws, freed.by) ?? Infinity) < from));
  const open = claim !== undefined && freed === undefined && ends.length === 0 && to < claim.from + DEDUPE_MS;
  const maybeOpen = claim !== undefined && !isFree && from < claim.to + DEDUPE_MS;
  const others = model.events.filter(({ id }) => !isNew || id !== stored);
  const full = [monthOf(from), monthOf(to)].every(
    (month) => others.filter((one) => isSurelyIn(month, one)).length >= model.limit,
  );
  const mayBeFull = [monthOf(from), monthOf(to)].some(
    (month) => [...others, ...model.lost].filter((one) => isMaybeIn(month, one)).length >= model.limit,
  );

  if (status >= 500) {
    if (failures < answers.length || answers.length > TRIES) addViolation("an answer after all retries");
  } else if (!key.live) {
    if (status !== 401) addViolation("401 for a deleted key");
  } else if (remembered !== undefined && event !== remembered.event) {
    if (status !== 422) addViolation("422 for another body");
  } else if (remembered !== undefined) {
    if (status !== remembered.status || eventId !== remembered.eventId)
      addViolation(`the first answer ${remembered.status} ${remembered.eventId}`);
  } else if (isNew) {
    if (open && claim.eventId !== stored) addViolation(`a duplicate of ${claim.eventId}`);
    if (full) addViolation("403 for the quota");
    if (eventId !== stored) addViolation(`the id ${stored}`);
    if (status !== 201 && failures === 0) addViolation("201");
  } else if (status === 200) {
    if (!maybeOpen || eventId !== claim.eventId)
      addViolation(maybeOpen ? `a duplicate of ${claim.eventId}` : "a new event");
  } else if (status === 403) {
    if (open) addViolation(`a duplicate of ${claim.eventId}`);
    if (!mayBeFull) addViolation("201 within the quota");
  } else addViolation("201, 200 or 403");

  // The resolving request frees the dedupeKey; if the request dies first, the matcher frees the key later.
  const ended = resolves === null ? undefined : model.claims.get(resolves);
  const mayEnd = ended !== undefined && (key.resolvesAny || ended.sender === key.sender);
  if (stored !== undefined && isNew && mayEnd && ended.freed?.atOnce !== true)
    ended.freed = { by: stored, atOnce: status === 201 && failures === 0 };
  if (remembered === undefined && key.live) {
    if (isNew && dedupeKey !== null) model.claims.set(dedupeKey, { eventId: stored, sender: key.sender, from, to });
    if (idempotencyKey !== null && (status === 201 || status === 200))
      model.remembered.set(idempotencyKey, { event, status, eventId: eventId ?? "", from });
  }
  const named = resolves === null ? null : `resolves ${resolves}`;
  const options = [dedupeKey, named, idempotencyKey].filter((option) => option !== null).join(" ");
  return `post ${move.event} ${options}${key.live ? "" : " by a deleted key"}: ${answers.map((answer) => answer.status).join(", ")} ${eventId ?? ""}`;
};
