import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { distDir } from "../../lib/build.ts";
import { makeDirectory, newEvent, readInbox, startLocalService, useWorkspace } from "../support/local-service.ts";

const dir = makeDirectory();
let service = await startLocalService(dir);
afterAll(() => service.stop());

it("every function that loads the regex engine has a copy of the engine beside its own file, and the matcher loads the engine", () => {
  const names = readdirSync(distDir).filter((name) => existsSync(join(distDir, name, "index.js")));
  const loading = names.filter((name) => readFileSync(join(distDir, name, "index.js"), "utf8").includes("./re2js.js"));

  expect(loading).toContain("matcher");
  expect(loading.filter((name) => !existsSync(join(distDir, name, "re2js.js")))).toEqual([]);
});

describe("an event in the local service", () => {
  it("reaches every device of every recipient, and can be acknowledged", async () => {
    const acme = useWorkspace(service, "Acme");
    await acme.tell("booking.created", [0, 1], ["phone", "tablet"], { requiresAck: true });

    const accepted = await acme.send(newEvent("booking.created"));

    expect(accepted).toMatchObject({ status: 201, body: { ok: true, eventType: "booking.created" } });
    const { eventId } = accepted.body as { eventId: string };
    await expect
      .poll(async () => (await acme.readEvent(eventId)).notifications.map(({ status }) => status))
      .toStrictEqual(["SENT", "SENT"]);
    expect((await readInbox(service)).map(({ token }) => token).sort()).toStrictEqual([
      "phone-Alice",
      "phone-Bob",
      "tablet-Alice",
      "tablet-Bob",
    ]);
    const { notifications } = await acme.readEvent(eventId);
    const mine = notifications.find(({ user }) => user.name === "Alice");
    await acme.call("PATCH", `/notifications/${mine!.id}`, { status: "ACKNOWLEDGED" });
    const after = await acme.readEvent(eventId);
    expect(after.notifications.find(({ id }) => id === mine!.id)).toMatchObject({ status: "ACKNOWLEDGED" });
  });

  it("shows its outcome in the log and in the metrics", async () => {
    const globex = useWorkspace(service, "Globex");
    await globex.tell("order.paid", [0], ["phone"]);
    await service.control("DELETE", "/meters");

    const { body } = await globex.send(newEvent("order.paid"));

    const { eventId } = body as { eventId: string };
    await expect.poll(() => service.output()).toContain("arrived at phone-Grace  Title of order.paid");
    expect(service.output()).toMatch(new RegExp(`post-event +event.accepted .*${eventId}`));
    expect(service.output()).toMatch(new RegExp(`matcher +event.matched .*${eventId}`));
    await expect
      .poll(() => service.control("GET", "/meters"))
      .toMatchObject({
        functions: {
          // An event costs three write units; the first event of a month and the first use of a key on a day, one more each.
          "post-event": { invocations: 1, writeUnits: 5, sqsRequests: 1, fcmRequests: 0 },
          matcher: { invocations: 1, sqsRequests: 3 },
          sender: { invocations: 1, sqsRequests: 2, fcmRequests: 1 },
        },
      });
  });

  it("arrives once, as do the other events of its batch, whatever characters its text contains", async () => {
    const acme = useWorkspace(service, "Acme");
    await acme.tell("any.text", [3], ["any"]);
    const texts = ["\u{1F525}", "\u{FFFE}", "\u{FFFF}", "\u{1FFFE}", "\u{7F}", "\u{9F}", "plain"];

    await Promise.all(
      texts.map((text) =>
        acme.send({
          event: "any.text",
          title: `t ${text}`,
          body: `b ${text}`,
          url: `https://acme.example/?q=${text}`,
          data: { site: "https://acme.example", site_name: `s ${text}` },
        }),
      ),
    );

    const listArrived = async () => (await readInbox(service)).filter(({ token }) => token === "any-Dave");
    await expect.poll(async () => (await listArrived()).length).toBe(texts.length);
    await expect
      .poll(() => service.control("GET", "/queues"))
      .toSatisfy((queues: Record<string, object>) =>
        Object.values(queues).every((depth) => Object.values(depth).every((count) => count === 0)),
      );
    const titles = new Set((await listArrived()).map(({ message }) => message.notification?.title));
    expect(titles).toStrictEqual(new Set(texts.map((text) => `s ${text}: t ${text}`)));
  });

  it("escalates to the next person if nobody acknowledges it in time", async () => {
    const acme = useWorkspace(service, "Acme");
    const { members } = acme;
    const policy = await acme.call<{ id: string }>("POST", "/escalation-policies", {
      name: "then Erin",
      repeat: 0,
      steps: [{ delayMinutes: 10, targets: [{ type: "user", userId: members[4]!.userId }] }],
    });
    await acme.call("POST", "/devices", { token: "last-resort", platform: "ios" }, 4);
    await acme.tell("disk.full", [3], ["pager"], { requiresAck: true, escalationPolicyId: policy.id });
    const listTokens = async () =>
      (await readInbox(service)).map(({ token }) => token).filter((token) => /^(?:pager-Dave|last)/.test(token));

    await acme.send(newEvent("disk.full"));
    await expect.poll(listTokens).toStrictEqual(["pager-Dave"]);
    await service.control("POST", "/clock", { advanceSeconds: 600 });
    await service.control("POST", "/tick");

    await expect.poll(listTokens).toStrictEqual(["pager-Dave", "last-resort"]);
  });

  it("is created for a missed heartbeat after the clock is moved forward", async () => {
    const globex = useWorkspace(service, "Globex");
    await globex.call("POST", "/heartbeats", { name: "Backup", everySeconds: 3600, graceSeconds: 0 });
    const listEventKeys = async () => {
      const { items } = await globex.call<{ items: { eventKey: string }[] }>("GET", "/events");
      return items.map(({ eventKey }) => eventKey);
    };
    await service.control("POST", "/tick");

    await service.control("POST", "/clock", { advanceSeconds: 3600 });
    await service.control("POST", "/tick");

    await expect.poll(listEventKeys).toContain("heartbeat.missed");
  });
});

describe("the session file of the local service", () => {
  it("names the seeded workspaces, which only their members can read, and the people with sessions", async () => {
    const { workspaces, outsider } = service.session;

    expect(workspaces.map(({ name, members }) => [name, members.length])).toStrictEqual([
      ["Acme", 6],
      ["Globex", 3],
      ["Tiny", 1],
      ["Demo", 7],
    ]);
    const tiny = useWorkspace(service, "Tiny");
    for (const list of ["/groups", "/routing-rules", "/devices"])
      expect(await tiny.call("GET", list)).toStrictEqual([]);
    const foreign = await service.call("GET", `/v1/workspaces/${tiny.id}`, { as: outsider.token });
    expect(foreign.status).toBe(403);
    expect((await service.call("GET", "/v1/workspaces", { as: outsider.token })).body).toStrictEqual([]);
  });

  it("is readable only by its owner, like the files with the keys", () => {
    for (const file of ["session.json", "local.env", "keys.json", "seeds.json"])
      expect({ file, others: statSync(join(dir, file)).mode & 0o077 }).toStrictEqual({ file, others: 0 });
  });
});

describe("stopping the local service", () => {
  it("takes less than 5 seconds, removes the session file, and keeps all data for the next start", async () => {
    const acme = useWorkspace(service, "Acme");
    const { total } = (await acme.call("GET", "/events?limit=1")) as { total: number };
    const { apiKey } = service.workspace("Acme");
    const { token } = service.workspace("Acme").members[0]!;

    const startedAt = Date.now();
    await service.kill("SIGINT");

    expect(Date.now() - startedAt).toBeLessThan(5000);
    expect(service.exitCode()).toBe(0);
    expect(existsSync(join(dir, "session.json"))).toBe(false);
    service = await startLocalService(dir);
    expect(service.workspace("Acme").apiKey).toBe(apiKey);
    const again = await service.call("GET", `/v1/workspaces/${acme.id}/events?limit=1`, { as: token });
    expect(again).toMatchObject({ status: 200, body: { total } });
  }, 30_000);
});
