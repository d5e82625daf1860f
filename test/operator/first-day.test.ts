import { createServer } from "node:http";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import type { PushOutcome } from "../../core/domain/delivery/push/outcome.ts";
import { listApiKeys } from "../../core/store/api-keys.ts";
import { createPostEvent } from "../../functions/events/post-event.ts";
import { createPostFromSource } from "../../functions/events/post-from-source.ts";
import { listen } from "../../local/listen.ts";
import type { Backups, Topics } from "../../operator/first-day/aws.ts";
import { type FirstDay, walkFirstDay } from "../../operator/first-day/walk.ts";
import { createSns, TOPIC } from "../support/sns.ts";
import { call } from "../world/http.ts";
import { closeWorlds, createWorld, type WorldOptions } from "../world/world.ts";

afterAll(closeWorlds);

/** A stage in virtual time that can be walked, with what the walk said. */
const aStage = async (options: WorldOptions = {}) => {
  // The certificate of the stand-in for SNS is made by the machine's clock.
  const world = await createWorld({ start: Date.now() + 60_000, ...options });
  const sns = createSns({});
  const deps = { ...world.deps, fetchText: sns.fetchText };
  const handlers = { event: createPostEvent(deps), source: createPostFromSource(deps) };
  const post: FirstDay["post"] = async (url, headers, body) => {
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
  const lines: string[] = [];
  const day: FirstDay = {
    ...world.deps,
    sleep: (ms) => world.runFor(ms),
    say: (line) => lines.push(line),
    ask: async () => true,
    baseUrl: "https://alerts.example",
    device: { token: "usr_me-1", platform: "android" },
    post,
    topics: undefined,
    backups: undefined,
  };
  return { world, sns, day, post, lines };
};

const resultsOf = (walked: Awaited<ReturnType<typeof walkFirstDay>>): Record<string, string> =>
  Object.fromEntries(walked.steps.map(({ step, result }) => [step, result]));
const fine = { event: "ok", push: "ok", escalation: "ok", SNS: "skipped", restore: "skipped", "tidy up": "ok" };

describe("the walk of the first day", () => {
  test("goes from an event over its push to a step a minute later, and leaves no key behind", async () => {
    const { world, day, lines } = await aStage();

    const walked = await walkFirstDay(day);

    expect(resultsOf(walked)).toEqual(fine);
    expect(world.pushed.map(({ at }) => Math.round((at - world.pushed[0]!.at) / 60_000))).toEqual([0, 1]);
    expect(lines).toHaveLength(6);
    expect(await listApiKeys(day, walked.workspaceId)).toEqual([]);
  });

  test("without a device takes FCM's answer that it knows no such token, and not its silence", async () => {
    const walk = async (answer: PushOutcome) => {
      const { day } = await aStage({ answer: () => answer });
      const { steps } = await walkFirstDay({ ...day, device: undefined });
      return steps.find(({ step }) => step === "push")?.result;
    };

    expect(await walk({ kind: "unregistered" })).toBe("ok");
    expect(await walk({ kind: "auth", code: "THIRD_PARTY_AUTH_ERROR" })).toBe("failed");
  });

  test("says what failed and what to do, and goes on", async () => {
    const { day, lines } = await aStage();

    const walked = await walkFirstDay({
      ...day,
      post: async (url, headers, body) =>
        url.endsWith("/v1/events") ? { status: 503, body: "" } : day.post(url, headers, body),
    });

    expect(resultsOf(walked)).toEqual({ ...fine, event: "failed", push: "failed", escalation: "failed" });
    expect(lines[0]).toMatch(/^failed {2}event \(0 s\): The event was answered 503 \(\)\. What to do: see api-5xx/);
  });
});

describe("SNS", () => {
  /** A topic of the stand-in, which reaches the stage over HTTP. */
  const withTopic = async (stage: Awaited<ReturnType<typeof aStage>>) => {
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        const headers = Object.fromEntries(
          Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
        );
        void stage
          .post(`http://stage${request.url}`, headers, JSON.parse(Buffer.concat(chunks).toString()) as object)
          .then(({ status, body }) => response.writeHead(status).end(body));
      });
    });
    const { url, close } = await listen(server, 0);
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

  test("a topic is confirmed, its alarm becomes an event, and it is deleted", async () => {
    const stage = await aStage();
    const { removed, ...rest } = await withTopic(stage);

    const walked = await walkFirstDay({ ...stage.day, ...rest });

    expect(resultsOf(walked)).toEqual({ ...fine, SNS: "ok" });
    expect(removed).toEqual([TOPIC]);
    expect(await listApiKeys(stage.day, walked.workspaceId)).toEqual([]);
  });

  test("a topic that is not confirmed is said, and deleted, too", async () => {
    const stage = await aStage();
    const { topics, removed, baseUrl } = await withTopic(stage);

    const walked = await walkFirstDay({ ...stage.day, baseUrl, topics: { ...topics, isConfirmed: async () => false } });

    expect(resultsOf(walked)["SNS"]).toBe("failed");
    expect(removed).toEqual([TOPIC]);
  });
});

describe("the restore", () => {
  /** Backups of a table that is restored as it is, or as somebody has changed it. */
  const backups = (world: { now: () => number }, counts: [here: number, there: number]) => {
    const calls: string[] = [];
    const made: Backups = {
      latest: async () => world.now() - 300_000,
      restore: async (_table, target) => void calls.push(`restore ${target.replace(/\d+$/, "")}`),
      isReady: async () => calls.push("ready?") > 3,
      count: async (_table, ws) => (ws === "" ? 0 : counts[calls.push("count") % 2]!),
      remove: async () => void calls.push("remove"),
    };
    return { made, calls };
  };

  test("waits for a moment after the walk, compares what both tables have, and deletes only what it may", async () => {
    for (const [counts, mayDelete, result] of [
      [[7, 7], true, "ok"],
      [[7, 8], true, "failed"],
      [[7, 7], false, "ok"],
    ] as const) {
      const { world, day } = await aStage();
      const { made, calls } = backups(world, [...counts]);
      // What was restored is what was there.
      const { name } = day.table;
      type Asked = { input: { TableName?: string; RequestItems?: Record<string, object> } };
      const send = async (command: Asked): Promise<unknown> => {
        const { input } = command;
        const [asked = name] = Object.keys(input.RequestItems ?? {});
        if (input.TableName !== undefined) input.TableName = name;
        if (input.RequestItems !== undefined) input.RequestItems = { [name]: input.RequestItems[asked]! };
        const answer = (await day.table.client.send(command as never)) as { Responses?: Record<string, unknown> };
        return answer.Responses === undefined ? answer : { ...answer, Responses: { [asked]: answer.Responses[name] } };
      };
      const client = { send } as FirstDay["table"]["client"];

      const walked = await walkFirstDay({
        ...day,
        table: { ...day.table, client },
        backups: made,
        ask: async () => mayDelete,
      });

      expect(resultsOf(walked)["restore"]).toBe(result);
      expect(walked.steps.find(({ step }) => step === "restore")?.seconds).toBeGreaterThanOrEqual(300);
      expect(calls[0]).toBe(`restore ${day.table.name}-first-day-`);
      expect(calls.includes("remove")).toBe(mayDelete);
    }
  });
});
