import { listSilences } from "../../core/store/rules/silences.ts";
import type { SilenceWish } from "./history.ts";
import { addEra, pickValue, expectStatus, currentValue, memberAt, listUnknown, type Handlers } from "./play.ts";
import type { Silence } from "./specification.ts";

type Body = Partial<Omit<SilenceBody, "id" | "conditions" | "endsAt">> & {
  endsAt?: string;
  conditions?: { field: string; operator: string; value: number }[];
};

const bodyOf = (wish: Partial<SilenceWish>, now: number): Body => {
  const { pattern, above, includeUrgent, weekly, begins, lasts } = wish;
  const at = (seconds: number) => new Date(now + seconds * 1000).toISOString();
  return {
    ...(pattern === undefined ? {} : { eventKey: pattern }),
    ...(above === undefined
      ? {}
      : {
          conditions: above === null ? [] : [{ field: "data.amount", operator: "greater_than", value: above }],
        }),
    ...(includeUrgent === undefined ? {} : { includeUrgent }),
    ...(weekly === undefined ? {} : { weekly }),
    ...(begins === undefined || begins === null ? {} : { startsAt: at(begins) }),
    ...(lasts === undefined ? {} : { endsAt: at((begins ?? 0) + lasts) }),
  };
};

export type SilenceBody = {
  id: string;
  eventKey: string;
  conditions: readonly { value?: unknown }[];
  startsAt: string;
  endsAt: string | null;
  weekly: Silence["weekly"];
  includeUrgent: boolean;
};

export const silenceOf = (body: SilenceBody): Silence => ({
  id: body.id,
  pattern: body.eventKey,
  above: body.conditions.length === 0 ? null : Number(body.conditions[0]?.value),
  startsAt: Date.parse(body.startsAt),
  endsAt: body.endsAt === null ? null : Date.parse(body.endsAt),
  weekly: body.weekly,
  includeUrgent: body.includeUrgent,
});

const readSilence = (body: Body): Partial<Silence> => ({
  ...(body.eventKey === undefined ? {} : { pattern: body.eventKey }),
  ...(body.conditions === undefined ? {} : { above: body.conditions[0]?.value ?? null }),
  ...(body.includeUrgent === undefined ? {} : { includeUrgent: body.includeUrgent }),
  ...(body.weekly === undefined ? {} : { weekly: body.weekly }),
  ...(body.startsAt === undefined ? {} : { startsAt: Date.parse(body.startsAt) }),
  ...(body.endsAt === undefined ? {} : { endsAt: Date.parse(body.endsAt) }),
});

const declareEverything = ({ pattern, above }: Pick<Silence, "above" | "pattern">) =>
  pattern === "*" && above === null ? { everything: true } : {};

export const silences = {
  createSilence: async (play, { ws, by, silence }) => {
    const model = play.model[ws];
    const body = { name: "quiet", ...bodyOf(silence, play.world.kernel.now()), ...declareEverything(silence) };
    const answer = await play.call<SilenceBody>(ws, memberAt(model, by), "create-silence", { body });
    if (!expectStatus(play, "create silence", answer, [201])) return "create silence";
    const known = currentValue(model.silences);
    const made =
      answer.tries > 1 ? listUnknown(await listSilences(play.world.faultlessDeps, ws), known) : [answer.body];
    for (const [index] of made.entries())
      addEra(model.silences, answer, [
        ...known,
        ...made.slice(0, index + 1).map((one) => ({ ...silenceOf(one), ...readSilence(body) })),
      ]);
    const { startsAt } = silenceOf(answer.body);
    if (body.startsAt === undefined && (startsAt < answer.from || startsAt > answer.to))
      play.violations.push(`${answer.body.id} begins at ${answer.body.startsAt}, not when it was created`);
    return `create silence ${answer.body.id} ${JSON.stringify(body)}`;
  },
  editSilence: async (play, { ws, by, pick, silence }) => {
    const model = play.model[ws];
    const old = pickValue(currentValue(model.silences), pick);
    if (old === undefined) return undefined;
    const wanted = bodyOf(silence, play.world.kernel.now());
    const made = { ...old, ...readSilence(wanted) };
    const body = { ...wanted, ...declareEverything(made) };
    const answer = await play.call<SilenceBody>(ws, memberAt(model, by), "update-silence", {
      path: { silenceId: old.id },
      body,
    });
    const isSound = made.endsAt === null || made.endsAt > made.startsAt;
    if (!expectStatus(play, `edit silence ${old.id}`, answer, isSound ? [200] : [422]) || !isSound)
      return `edit silence ${old.id}: ${answer.status}`;
    addEra(
      model.silences,
      answer,
      currentValue(model.silences).map((one) => (one.id === old.id ? made : one)),
    );
    return `edit silence ${old.id} to ${JSON.stringify(body)}`;
  },
  deleteSilence: async (play, { ws, by, pick }) => {
    const model = play.model[ws];
    const old = pickValue(currentValue(model.silences), pick);
    if (old === undefined) return undefined;
    const answer = await play.call(ws, memberAt(model, by), "delete-silence", { path: { silenceId: old.id } });
    expectStatus(play, `delete silence ${old.id}`, answer, answer.tries > 1 ? [204, 404] : [204]);
    addEra(
      model.silences,
      answer,
      currentValue(model.silences).filter(({ id }) => id !== old.id),
    );
    return `delete silence ${old.id}`;
  },
} satisfies Partial<Handlers>;
