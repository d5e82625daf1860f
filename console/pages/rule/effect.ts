import { signal } from "@preact/signals";
import type { Api } from "../../app/api.ts";
import { type Failure, toFailureOrRethrow } from "../../app/failure.ts";
import { matchesPattern } from "../../app/grouped.ts";
import type { Answers, Inputs } from "../../app/types.ts";
import { type Draft, toRuleInput } from "./draft.ts";

type Event = Answers["Event"];
type TriedRule = Answers["DryRun"]["rules"][number];

type EventFields = Answers["EventTypeWithFields"]["fields"];

export type Tried = { event: Event; rule: TriedRule };
export type Effect =
  | { kind: "waiting" }
  | { kind: "refused"; failure: Failure }
  | {
      kind: "shown";
      tried: readonly Tried[];
      fitting: number;
      recent: number;
      warnings: Answers["DryRun"]["warnings"];
    };

/** The preview of past days; undefined until it is loaded. */
export type Past = { kind: "found"; history: Answers["History"] } | { kind: "refused"; failure: Failure } | undefined;

/** The pause after which typing counts as finished. */
const PAUSE_MS = 250;
/** The pause before a preview, longer than `PAUSE_MS` because a preview reads all events of past days. */
const LOOK_BACK_PAUSE_MS = 1_000;
export const LOOK_BACK_DAYS = [7, 28] as const;
export type LookBackDays = (typeof LOOK_BACK_DAYS)[number];
/** The maximum number of events that are tested, because each event needs a request. */
const TRIED_MAX = 5;

/** Completes the draft, so that it can be tested without a name or a group. */
const completeForDryRun = (draft: Draft, anyGroupId: string | undefined) => {
  const rule = toRuleInput(draft);
  return {
    ...rule,
    name: rule.name === "" ? "Draft" : rule.name,
    targets:
      rule.targets.length === 0 && anyGroupId !== undefined
        ? [{ type: "group" as const, groupId: anyGroupId }]
        : rule.targets,
  };
};

/** An invented event, which shows the draft's faults and warnings if there is no recent event. */
const SOME_EVENT = { event: "draft.tried", title: "Draft", body: "Draft" };

const toEventInput = (event: Event) => ({
  event: event.eventKey,
  title: event.title,
  body: event.body,
  priority: event.priority,
  ...(event.detail === null ? {} : { detail: event.detail }),
  ...(event.data === null ? {} : { data: event.data }),
  ...(event.url === null ? {} : { url: event.url }),
  ...(event.requiresAck === null ? {} : { requiresAck: event.requiresAck }),
});

type DraftedRule = ReturnType<typeof completeForDryRun>;

/** Returns functions that read each event, and the fields of each event key, only once. */
const cacheEventsAndFields = (api: Api, knownEvent: Event | undefined) => {
  const types = new Map<string, Promise<EventFields>>();
  const kept = new Map<string, Promise<Event>>(
    knownEvent === undefined ? [] : [[knownEvent.id, Promise.resolve(knownEvent)]],
  );
  return {
    event: (id: string): Promise<Event> => {
      const event = kept.get(id) ?? api("events/get-event", { path: { eventId: id } });
      kept.set(id, event);
      return event;
    },
    fields: (eventKey: string): Promise<EventFields> => {
      const fields =
        types.get(eventKey) ??
        api("event-types/get-event-type", { path: { eventKey } }).then((type) => [...type.fields, ...type.texts]);
      types.set(eventKey, fields);
      return fields.catch(() => []);
    },
  };
};

/** Tests the rule with the events. Without events, a rule with targets is tested with `SOME_EVENT`, to get its warnings. */
const dryRunRule = async (api: Api, rule: DraftedRule, events: readonly Promise<Event>[]) => {
  const testRule = (event: Inputs["DryRunInput"]["event"]) =>
    api("routing-rules/test-routing-rules", { body: { event, rule } });
  const answers = await Promise.all(
    events.map(async (read) => {
      const event = await read;
      return { event, answer: await testRule(toEventInput(event)) };
    }),
  );
  const tried = answers.flatMap(({ event, answer }): Tried[] => {
    const rule = answer.rules.find(({ id }) => id === null);
    return rule === undefined ? [] : [{ event, rule }];
  });
  const first = answers[0]?.answer ?? (rule.targets.length === 0 ? undefined : await testRule(SOME_EVENT));
  return { tried, warnings: first?.warnings ?? [] };
};

/**
 * Returns functions that test a draft on recent events with the service's evaluator, and signals with the results. Only the
 * answer to the last request is used. `replayed`: an event to test before `recent`. `ruleId`: the rule that the draft replaces.
 */
export const createDraftTester = (
  api: Api,
  recent: Answers["EventPage"]["items"],
  replayed: Event | undefined,
  ruleId: string | undefined,
) => {
  const state = signal<Effect>({ kind: "waiting" });
  const past = signal<Past>(undefined);
  const days = signal<LookBackDays>(7);
  const eventType = signal<EventFields>([]);
  const read = cacheEventsAndFields(api, replayed);
  let timer: number | undefined;
  let backTimer: number | undefined;
  let asked = 0;
  let looks = 0;
  let latest: readonly [draft: Draft, anyGroupId: string | undefined] | undefined;

  /** Reads the fields of an event key into `eventType`, so that conditions can use the fields. */
  const readFieldsOfKey = async (eventKey: string | undefined): Promise<void> => {
    if (eventKey !== undefined) eventType.value = await read.fields(eventKey);
  };

  const runDryRun = async (draft: Draft, anyGroupId: string | undefined): Promise<void> => {
    asked += 1;
    const mine = asked;
    const fitting = recent.filter(({ eventKey }) => matchesPattern(draft.eventKey, eventKey));
    const chosen = [...(replayed === undefined ? [] : [replayed]), ...fitting.filter(({ id }) => id !== replayed?.id)];
    void readFieldsOfKey(chosen[0]?.eventKey);
    try {
      const events = chosen.slice(0, TRIED_MAX).map(({ id }) => read.event(id));
      const { tried, warnings: all } = await dryRunRule(api, completeForDryRun(draft, anyGroupId), events);
      const warnings = draft.groupIds.length === 0 ? [] : all;
      if (mine === asked)
        state.value = { kind: "shown", tried, fitting: fitting.length, recent: recent.length, warnings };
    } catch (error) {
      if (mine === asked) state.value = { kind: "refused", failure: toFailureOrRethrow(error) };
    }
  };

  const previewHistory = async (draft: Draft, anyGroupId: string | undefined): Promise<void> => {
    looks += 1;
    const [mine, look] = [asked, looks];
    const isLatestRequest = () => mine === asked && look === looks;
    const rule = { ...completeForDryRun(draft, anyGroupId), ...(ruleId === undefined ? {} : { id: ruleId }) };
    const body = { rules: [rule], days: days.value };
    try {
      const history = await api("simulate/simulate-history", { body });
      if (isLatestRequest()) past.value = { kind: "found", history };
    } catch (error) {
      if (isLatestRequest()) past.value = { kind: "refused", failure: toFailureOrRethrow(error) };
    }
  };

  return {
    state,
    past,
    days,
    eventType,
    lookBackOver: (chosen: LookBackDays): void => {
      days.value = chosen;
      past.value = undefined;
      if (latest !== undefined) void previewHistory(...latest);
    },
    follow: (draft: Draft, anyGroupId: string | undefined): void => {
      latest = [draft, anyGroupId];
      window.clearTimeout(timer);
      window.clearTimeout(backTimer);
      timer = window.setTimeout(() => void runDryRun(draft, anyGroupId), PAUSE_MS);
      backTimer = window.setTimeout(() => void previewHistory(draft, anyGroupId), LOOK_BACK_PAUSE_MS);
    },
    close: (): void => {
      asked += 1;
      window.clearTimeout(timer);
      window.clearTimeout(backTimer);
    },
  };
};
export type RuleEffect = ReturnType<typeof createDraftTester>;
