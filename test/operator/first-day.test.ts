import { createServer } from "node:http";
import { afterAll, afterEach, expect, test } from "vitest";
import { listApiKeys } from "../../core/store/people/api-keys.ts";
import { createPostEvent } from "../../functions/doors/post-event.ts";
import { createPostFromSource } from "../../functions/doors/post-from-source.ts";
import { listenLocally } from "../../local/listen.ts";
import type { Topics } from "../../operator/first-day/aws.ts";
import { type FirstDay, runFirstDay } from "../../operator/first-day/run.ts";
import { createSns, TOPIC } from "../support/sns.ts";
import { call } from "../world/http.ts";
import { closeWorlds, createWorld } from "../world/world.ts";

afterAll(closeWorlds);

const aStage = async () => {
  // The world begins after the SNS stand-in's certificate was created, by the machine's clock.
  const world = await createWorld({ start: Date.now() + 60_000 });
  const sns = createSns({});
  const deps = { ...world.deps, fetchText: sns.fetchText };
  const handlers = { event: createPostEvent(deps), source: createPostFromSource(deps) };
  const postToStage: FirstDay["post"] = async (url, headers, body) => {
    const [, source, key] = /from\/([^/]+)(?:\/(.+))?$/.exec(new URL(url).pathname) ?? [];
    const path = { ...(source === undefined ? {} : { source }), ...(key === undefined ? {} : { key }) };
    const lower = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
    const answer = await call(source === undefined ? handlers.event : handlers.source, {
      method: "POST",
      headers: lower,
      path,
      body,
    });
    return { status: answer.status, body: JSON.stringify(answer.body) };
  };
  const day: FirstDay = {
    ...world.deps,
    sleep: (ms) => world.runFor(ms),
    say: () => {},
    ask: async () => true,
    baseUrl: "https://alerts.example",
    device: { token: "usr_me-1", platform: "android" },
    post: postToStage,
    topics: undefined,
    backups: undefined,
  };
  return { sns, day, post: postToStage };
};

/** Creates a topic of the SNS stand-in, and a server that passes the stand-in's requests on to the stage. */
const createTopic = async (stage: Awaited<ReturnType<typeof aStage>>) => {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
      void stage
        .post(`http://stage${request.url}`, headers, JSON.parse(Buffer.concat(chunks).toString()) as object)
        .then(({ status, body }) => response.writeHead(status).end(body));
    });
  });
  const { url, close } = await listenLocally(server, 0);
  const removed: string[] = [];
  const topics: Topics = {
    make: async () => TOPIC,
    subscribe: async (_topic, endpoint) => {
      await stage.sns.subscribe(endpoint);
      return "subscription";
    },
    isConfirmed: async () => stage.sns.isConfirmed(),
    publish: async (_topic, message) => {
      await stage.sns.deliver(stage.sns.message(JSON.parse(message) as object));
    },
    remove: async (topic) => void removed.push(topic),
  };
  afterEach(close);
  return { topics, removed, baseUrl: url };
};

test("the operator's first-day test confirms an SNS topic, turns its alarm into an event, and deletes the topic", async () => {
  const stage = await aStage();
  const { removed, ...rest } = await createTopic(stage);

  const walked = await runFirstDay({ ...stage.day, ...rest });

  expect(walked.steps.map(({ step, result }) => `${step}: ${result}`)).toEqual([
    "event: ok",
    "push: ok",
    "escalation: ok",
    "SNS: ok",
    "restore: skipped",
    "tidy up: ok",
  ]);
  expect(removed).toEqual([TOPIC]);
  expect(await listApiKeys(stage.day, walked.workspaceId)).toEqual([]);
});
