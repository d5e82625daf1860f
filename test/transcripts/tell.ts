import { expect, it } from "vitest";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../../core/domain/basics/units.ts";
import { defaultUsagePlan } from "../../core/domain/workspace/usage-plan.ts";
import type { Method } from "../../interface/contract.ts";
import { vapidKeys } from "../support/web-push.ts";
import { createCaller, findFactory } from "../world/app.ts";
import { useWorld } from "../world/use-world.ts";
import type { World, WorldOptions } from "../world/world.ts";
import * as texts from "./transcript.ts";
import { countSame, findChanges, flatten, format, formatEntry, maskNames, type Fields } from "./transcript.ts";

const nameKey = (pk: string, sk: string): string =>
  maskNames(`${pk} ${sk}`)
    .replaceAll(/\b\d{13}(?=#| |$)/g, "<time>")
    .replaceAll(/(?<=[# ])(?:\d{12}|~?\d{6}|\d{3,4})(?=[# ]|$)/g, "<nr>")
    .replaceAll(/#\d\d?(?= |$)/g, "")
    .replaceAll(/(?<=#)[\w-]{22}(?=[# ]|$)/g, "<hash>");

/** Lists the kinds of stored items, each with the days and hours after which its items are deleted. */
const listItems = async ({ listItems, now }: World): Promise<Fields> => {
  const items = (await listItems()) as { pk: string; sk: string; ttl?: number }[];
  const describe = ({ ttl }: (typeof items)[number]) => {
    if (ttl === undefined) return "kept";
    const hours = Math.round((ttl * SECOND_MS - now()) / HOUR_MS);
    return hours < 0 ? "over" : `${Math.floor(hours / 24)} d ${hours % 24} h`;
  };
  const byKind = Map.groupBy(items, ({ pk, sk }) => nameKey(pk, sk));
  const kinds = [...byKind].toSorted(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(kinds.map(([kind, some]) => [kind, countSame(some.map(describe)).join(" + ")]));
};

/** Returns what left the service since the last call. */
const takeSent = ({ pushed, posted, slackCalls }: World) => [
  ...pushed.splice(0).map(({ at, token, message }) => {
    const { token: _token, subscription: _subscription, ...rest } = message as Fields;
    return { at, head: `${"call" in message ? "call" : "push"} ${token}`, value: flatten(rest) };
  }),
  ...posted.splice(0).map(({ at, url, headers: { "webhook-signature": _signature, ...headers }, body }) => {
    return { at, head: `webhook ${url}`, value: flatten({ headers, ...JSON.parse(body) }) };
  }),
  ...slackCalls.splice(0).map(({ at, method, body }) => ({ at, head: `slack ${method}`, value: body as Fields })),
];

/** Logs and metrics, without the ids of packs. */
const listLogged = ({ deps: { log } }: World): string[] =>
  countSame(
    [
      ...log.info.mock.calls.map(([code, fields]) => formatEntry(`info ${code}`, fields)),
      ...log.warn.mock.calls.map(([code, fields]) => formatEntry(`WARN ${code}`, fields)),
      ...log.error.mock.calls.map(([code, error, fields]) => formatEntry(`ERROR ${code}: ${String(error)}`, fields)),
      ...log.metric.mock.calls.map(([name, value]) => `metric ${name} ${value}`),
    ].map(maskNames),
  );

const createStory = (name: string, world: World) => {
  const { deps, ws, now } = world;
  const part = { start: now() };
  const nameAll = texts.createIdAndTimeNamer(part);
  const parts: { title: string; entries: { key: string; text: string }[] }[] = [{ title: `# ${name}`, entries: [] }];
  const last = new Map<string, unknown>();
  /** Stores the latest value of a kind of entry, and returns the value before it, if this part has one. */
  const replaceLast = (kind: string, value: unknown): unknown => {
    const before = last.get(kind);
    last.set(kind, value);
    return before;
  };
  const addEntry = (at: number, head: string, value: unknown) => {
    const said = `${String(nameAll(at))} ${head}`;
    parts.at(-1)?.entries.push({ key: maskNames(`${said} ${format(value)}`), text: formatEntry(said, value) });
  };
  /** Adds what was sent, in order of time, with only the fields that differ from the last entry of the same kind. */
  const addSent = () => {
    const sent = takeSent(world).map((one) => ({ ...one, key: maskNames(`${one.head} ${format(one.value)}`) }));
    for (const { at, head, value } of sent.toSorted((a, b) => a.at - b.at || (a.key < b.key ? -1 : 1))) {
      const named = nameAll(value) as Fields;
      const { title, body } = named;
      const news = findChanges(replaceLast(head, named) ?? {}, named) as Fields;
      addEntry(at, head, { ...(title === undefined ? {} : { title, body }), ...news });
    }
  };

  const channel = { send: deps.push.send, prepare: async () => true, countries: ["DE"] };
  const channels = { ways: ["push", "email", "sms", "voice"], mail: channel, sms: channel, voice: channel };
  const getVapidKeys = async () => ({ current: vapidKeys, previous: undefined });
  const apiDeps = { ...deps, ...channels, plan: defaultUsagePlan, getVapidKeys };
  const callApi = createCaller(
    async (route) => (await findFactory(route))(apiDeps),
    () => {
      throw new Error("no route matches");
    },
  );
  /** Calls the API as a person, with an API key (`key`), or as nobody. Paths are below the workspace, or begin with /v1. */
  const ask = async <Body>(as: string, request: string, body?: object, key = world.apiKey): Promise<Body> => {
    addSent();
    const [method, path] = request.split(" ") as [Method, string];
    const by = { ...(as.startsWith("usr_") ? { as } : {}), ...(as === "key" ? { apiKey: key } : {}) };
    const url = path.startsWith("/v1") ? path : `/v1/workspaces/${ws}${path}`;
    const { answer } = await callApi<Body>(url, { ...by, method, ...(body === undefined ? {} : { body }) });
    const said = nameAll(answer.body);
    const news = texts.findNews(replaceLast(`${as} ${maskNames(request)}`, said), said);
    const asked = `${as} ${String(nameAll(request))}`;
    if (body !== undefined) addEntry(now(), asked, nameAll(body));
    addEntry(now(), `${body === undefined ? asked : as} <- ${answer.status}`, texts.shorten(news ?? {}));
    return answer.body;
  };

  /** Returns the transcript: the parts, each without entries that the previous part also has; what was logged; what is stored. */
  const finishTranscript = async (): Promise<string> => {
    addSent();
    const all = parts.flatMap(({ title, entries }, nr) => {
      const previousKeys = (parts[nr - 1]?.entries ?? []).map(({ key }) => key);
      const isNew = ({ key }: { key: string }) =>
        !previousKeys.includes(key) || previousKeys.splice(previousKeys.indexOf(key), 1).length === 0;
      const news = entries.filter(isNew).map(({ text }) => text);
      const left = entries.length - news.length;
      return [title, ...news, ...(left === 0 ? [] : [`(the same as in the part before: ${left})`]), ""];
    });
    const rest = [
      "## Logs and metrics",
      ...listLogged(world),
      "",
      formatEntry("## In the table", await listItems(world)),
      "",
    ];
    return [...all, ...rest].join("\n").replaceAll(ws, "ws");
  };

  return {
    world,
    ask,
    end: finishTranscript,
    /** Sends an event with the workspace's API key; returns the event's id. */
    send: async (event: object) => (await ask<{ eventId: string }>("key", "POST /v1/events", event)).eventId,
    look: async (...eventIds: string[]) => {
      for (const id of eventIds) await ask("usr_owner", `GET /events/${id}`);
    },
    at: (minutes: number) => new Date(now() + minutes * MINUTE_MS).toISOString(),
    wait: (minutes: number) => world.runFor(minutes * MINUTE_MS),
    /** Begins a part. */
    say: (title: string) => {
      addSent();
      last.clear();
      part.start = now();
      parts.push({ title: `## ${title}`, entries: [] });
    },
  };
};

/** Plays a story in a world, and compares everything that can be observed from outside with the committed transcript. */
export const testStory = (
  name: string,
  options: WorldOptions,
  play: (story: ReturnType<typeof createStory>) => Promise<void>,
) =>
  it(`the story "${name}" runs as its transcript shows`, async () => {
    const story = createStory(name, await useWorld({ ws: "ws_story", ...options }));
    await play(story);
    await expect(await story.end()).toMatchFileSnapshot(`${name}.txt`);
  });
