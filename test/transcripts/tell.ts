import { expect, it, type Mock } from "vitest";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../../core/domain/basics/units.ts";
import { defaultUsagePlan } from "../../core/domain/workspace/usage-plan.ts";
import type { HttpHandler } from "../../functions/http/endpoint.ts";
import type { Method } from "../../interface/contract.ts";
import { vapidKeys } from "../support/web-push.ts";
import { createCaller, findFactory } from "../world/app.ts";
import { noteDefect } from "../world/defects.ts";
import { useWorld } from "../world/use-world.ts";
import type { World, WorldOptions } from "../world/world.ts";
import * as texts from "./transcript.ts";
import { countSame, findChanges, flatten, format, formatEntry, maskNames, type Fields } from "./transcript.ts";

const nameKey = (pk: string, sk: string): string =>
  `${pk} ${sk}`
    .replaceAll(/\b\d{13}(?=#| |$)/g, "<time>")
    .replaceAll(/(?<=[# ])(?:\d{12}|~?\d{6}|\d{3})(?=[# ]|$)/g, "<nr>")
    .replaceAll(/#\d\d?(?= |$)/g, "")
    .replaceAll(/\b1m[0-9a-z]{24,26}\b/g, "<pack>")
    .replaceAll(/_[0-9a-z]{14,}/g, "")
    .replaceAll(/(?<=#)[\w-]{22}(?=[# ]|$)|[\w-]{40,}/g, "<hash>");

const formatTtl = (ms: number): string => {
  const hours = Math.abs(Math.round(ms / HOUR_MS));
  return `${ms < 0 ? "ended " : ""}${Math.floor(hours / 24)} d ${hours % 24} h`;
};

const channelOf = (message: object): string => {
  const address = ["email", "phone", "call", "token"].find((field) => field in message);
  return { email: "email", phone: "sms", call: "call", token: "push" }[address ?? ""] ?? "web-push";
};

const createStory = async (name: string, world: World) => {
  const { deps, ws, start } = world;
  const part = { start };
  const nameAll = texts.createNamer(part);
  const parts: { title: string; entries: { key: string; text: string }[] }[] = [{ title: `# ${name}`, entries: [] }];
  const last = new Map<string, unknown>();
  /** Returns the value that the same kind of thing had before in this part, and remembers this value. */
  const replaceLast = (of: string, value: unknown): unknown => {
    const before = last.get(of);
    last.set(of, value);
    return before;
  };
  const add = (at: number, head: string, value: unknown) => {
    const said = `${String(nameAll(at))} ${head}`;
    parts.at(-1)?.entries.push({ key: maskNames(`${said} ${format(value)}`), text: formatEntry(said, value) });
  };

  const logged: string[] = [];
  const log = deps.log as unknown as Record<"info" | "warn" | "error" | "metric", Mock>;
  const note = (text: string, { packId: _pack, workspaceId: _ws, ...fields }: Fields = {}) =>
    void logged.push(maskNames(formatEntry(text, fields)));
  log.info.mockImplementation((code, fields) => note(`info ${code}`, fields));
  log.warn.mockImplementation((code, fields) => note(`WARN ${code}`, fields));
  log.metric.mockImplementation((metric, value) => note(`metric ${metric} ${value}`));
  log.error.mockImplementation((code, error, fields) => {
    noteDefect(code, error);
    note(`ERROR ${code}`, { ...fields, reason: String(error) });
  });

  const done = { pushed: 0, posted: 0, slackCalls: 0 };
  /** Returns what left the service since the last call. */
  const takeSent = () => {
    const { pushed, posted, slackCalls } = done;
    Object.assign(done, {
      pushed: world.pushed.length,
      posted: world.posted.length,
      slackCalls: world.slackCalls.length,
    });
    return [
      ...world.pushed.slice(pushed).map(({ at, token, message }) => {
        const { token: _t, email: _e, phone: _p, call: _c, subscription: _s, ...rest } = message as Fields;
        return { at, head: `${channelOf(message)} ${token.replace(/^.*[ /]/, "")}`, value: flatten(rest) };
      }),
      ...world.posted
        .slice(posted)
        .map(({ at, url, headers: { "webhook-signature": _signature, ...headers }, body }) => {
          return { at, head: `webhook ${url}`, value: flatten({ headers, ...JSON.parse(body) }) };
        }),
      ...world.slackCalls
        .slice(slackCalls)
        .map(({ at, method, body }) => ({ at, head: `slack ${method}`, value: body as Fields })),
    ];
  };
  /** Adds what was sent, in order of time and sorted within an instant, without the fields that were the same before. */
  const collect = () => {
    const sent = takeSent().map((one) => ({ ...one, key: maskNames(`${one.head} ${format(one.value)}`) }));
    for (const { at, head, value } of sent.toSorted((a, b) => a.at - b.at || (a.key < b.key ? -1 : 1))) {
      const named = nameAll(value) as Fields;
      const { title, body, html } = named;
      // The HTML of an email says the same as its text, so once is enough.
      const isShown = html !== undefined && replaceLast(`${head} html`, true) === undefined;
      const { html: _html, ...news } = findChanges(replaceLast(head, named) ?? {}, named) as Fields;
      add(at, head, { ...(title === undefined ? {} : { title, body }), ...news, ...(isShown ? { html } : {}) });
    }
  };

  const handlers = new Map<string, HttpHandler>();
  const channel = { send: deps.push.send, prepare: async () => true, countries: ["DE"] };
  const apiDeps = {
    ...deps,
    plan: defaultUsagePlan,
    getVapidKeys: async () => ({ current: vapidKeys, previous: undefined }),
    ways: ["push", "email", "sms", "voice"],
    mail: channel,
    sms: channel,
    voice: channel,
  };
  const callApi = createCaller(
    async (route) => {
      const handler = handlers.get(route.function) ?? (await findFactory(route))(apiDeps);
      handlers.set(route.function, handler);
      return handler;
    },
    () => {
      throw new Error("no route matches");
    },
  );
  /** Calls the API as a person, as a machine with an API key, or as `nobody`. Paths are below the workspace, or begin with /v1. */
  const ask = async <Body>(as: string, request: string, body?: object, key = world.apiKey): Promise<Body> => {
    collect();
    const [method, path] = request.split(" ") as [Method, string];
    const by = { ...(as.startsWith("usr_") ? { as } : {}), ...(as === "key" ? { apiKey: key } : {}) };
    const url = path.startsWith("/v1") ? path : `/v1/workspaces/${ws}${path}`;
    const { answer } = await callApi<Body>(url, { ...by, method, ...(body === undefined ? {} : { body }) });
    const said = nameAll(answer.body);
    const news = texts.findNews(replaceLast(`${as} ${maskNames(request)}`, said), said);
    const asked = `${as} ${String(nameAll(request))}`;
    if (body !== undefined) add(world.now(), asked, nameAll(body));
    add(world.now(), `${body === undefined ? asked : as} <- ${answer.status}`, texts.shorten(news ?? {}));
    return answer.body;
  };

  /** Returns what is stored: the kind of each key, and in how many days and hours the item is deleted. */
  const listItems = async () => {
    const items = (await world.everything()) as { pk: string; sk: string; ttl?: number }[];
    const describe = (ttl: number | undefined) =>
      ttl === undefined ? "kept" : formatTtl(ttl * SECOND_MS - world.now());
    return new Map(items.map(({ pk, sk, ttl }) => [`${pk} ${sk}`, { kind: nameKey(pk, sk), ttl: describe(ttl) }]));
  };
  type Items = Awaited<ReturnType<typeof listItems>>;
  const initial = await listItems();
  const compareItems = (items: Items, others: Items): string[] =>
    [
      ...Map.groupBy(
        [...items].filter(([key]) => !others.has(key)),
        ([, { kind }]) => kind,
      ),
    ]
      .map(([kind, some]) => `${kind}: ${countSame(some.map(([, { ttl }]) => ttl)).join(", ")}`)
      .toSorted((one, other) => (one < other ? -1 : 1));

  /** Returns the parts, without entries that are the same in the part before, and what was logged and is stored. */
  const end = async (): Promise<string> => {
    collect();
    const told = parts.flatMap(({ title, entries }, nr) => {
      const before = (parts[nr - 1]?.entries ?? []).map(({ key }) => key);
      const news = entries.filter(
        ({ key }) => !before.includes(key) || before.splice(before.indexOf(key), 1).length === 0,
      );
      const left = entries.length - news.length;
      const same = left === 0 ? [] : [`(${left} entries are the same as in the part before)`];
      return [title, ...news.map(({ text }) => text), ...same, ""];
    });
    const items = await listItems();
    const stored = ["## Left in the table", ...compareItems(items, initial), ""];
    const removed = ["## Removed from the table", ...compareItems(initial, items), ""];
    const rest = ["## Logs and metrics", ...countSame(logged), "", ...stored, ...removed];
    return [...told, ...rest].join("\n").replaceAll(ws, "ws");
  };

  return {
    world,
    ask,
    end,
    /** Sends an event with the workspace's API key; returns the event's id. */
    send: async (event: object) => (await ask<{ eventId: string }>("key", "POST /v1/events", event)).eventId,
    /** Reads events as the owner. */
    look: async (...eventIds: string[]) => {
      for (const id of eventIds) await ask("usr_owner", `GET /events/${id}`);
    },
    /** Returns the time in some minutes. */
    at: (minutes: number) => new Date(world.now() + minutes * MINUTE_MS).toISOString(),
    /** Lets the workers run for some minutes. */
    wait: async (minutes: number) => {
      await world.runFor(minutes * MINUTE_MS);
      collect();
    },
    /** Begins a part. */
    say: (title: string) => {
      collect();
      last.clear();
      part.start = world.now();
      parts.push({ title: `## ${title}`, entries: [] });
    },
  };
};
type Story = Awaited<ReturnType<typeof createStory>>;

/** Plays a story in a world, and compares everything that can be observed from outside with the committed transcript. */
export const tell = (name: string, options: WorldOptions, play: (story: Story) => Promise<void>) =>
  it(`The story "${name}" is the same as in its transcript`, async () => {
    const story = await createStory(name, await useWorld({ ws: "ws_story", ...options }));
    await play(story);
    await expect(await story.end()).toMatchFileSnapshot(`${name}.txt`);
  });
