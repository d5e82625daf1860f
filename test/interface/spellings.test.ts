import { describe, expect, it } from "vitest";
import { startFilled } from "../support/filled-app.ts";
import { alice } from "../support/people.ts";

const { app, mine, ask, get } = await startFilled();
const ops = (await ask<{ id: string }>("POST", "/groups", { name: "Ops" })).body.id;
const targets = [{ type: "group", groupId: ops }];

describe("a version in the header If-Match", () => {
  it.each(["2e0", "0x2", "02", "", "+2", "2.0"])("may not be written as %j", async (tag) => {
    const { id } = (await ask<{ id: string }>("POST", "/groups", { name: `Group ${tag}` })).body;
    const path = `/v1/workspaces/${mine.workspaceId}/groups/${id}`;
    const rename = (version: string, name: string) =>
      app.ask(path, { method: "PATCH", as: alice, headers: { "if-match": `"${version}"` }, body: { name } });
    expect((await rename("1", "Second")).status).toBe(200);

    expect((await rename(tag, "Third")).status).toBe(412);
    expect((await rename("2", "Third")).status).toBe(200);
  });
});

describe("control characters that change the writing direction", () => {
  const override = "Ops\u202Etxt.\u2066exe";

  it("are removed from the names of created items", async () => {
    const { body } = await ask<{ name: string }>("POST", "/groups", { name: override });
    expect(body.name).toBe("Opstxt.exe");
    expect((await ask("POST", "/groups", { name: "\u202E" })).status).toBe(422);
  });

  const kinds = [
    ["/heartbeats", { everySeconds: 60 }],
    ["/routing-rules", { eventKey: "*", targets }],
    ["/escalation-policies", { steps: [{ delayMinutes: 5, targets }] }],
  ] as const;

  it.each(kinds)(
    "are reported as removed from a name when a request to %s creates or changes it",
    async (path, others) => {
      const made = await ask<{ id: string; warnings: object[] }>("POST", path, { name: override, ...others });
      expect(made).toMatchObject({ status: 201, body: { name: "Opstxt.exe" } });
      expect(made.body.warnings[0]).toMatchObject({ field: "name", code: "removed" });

      const changed = await ask<{ warnings: object[] }>("PATCH", `${path}/${made.body.id}`, { name: "Late\u202E" });
      expect(changed.body.warnings[0]).toMatchObject({ field: "name", code: "removed" });
      const plain = await ask<{ warnings: object[] }>("PATCH", `${path}/${made.body.id}`, { name: "Plain" });
      expect(plain.body.warnings).not.toContainEqual(expect.objectContaining({ code: "removed" }));
    },
  );

  it("are reported as removed from the chain name of a rule", async () => {
    const rule = { name: "Chained", eventKey: "*", targets, chain: "Or\u202Eder", position: 1 };
    const { body } = await ask<{ chain: string; warnings: object[] }>("POST", "/routing-rules", rule);
    expect(body.chain).toBe("Order");
    expect(body.warnings).toMatchObject([{ field: "chain", code: "removed" }, { code: "group_empty" }]);
  });

  it("are removed from an alert, with a warning", async () => {
    const answer = await app.ask<{ eventId: string; warnings: object[] }>("/v1/events", {
      method: "POST",
      apiKey: mine.key,
      body: { event: "order.failed", title: override, body: "\u202DNo stock" },
    });

    expect(answer).toMatchObject({
      status: 201,
      body: {
        warnings: [
          { field: "title", code: "removed" },
          { field: "body", code: "removed" },
        ],
      },
    });
    expect(await get(`/events/${answer.body.eventId}`)).toMatchObject({ title: "Opstxt.exe", body: "No stock" });
  });
});

describe("the URL", () => {
  it.each([
    ["https://example.com\\@127.0.0.1/", "https://example.com/@127.0.0.1/"],
    ["https://EXAMPLE.com/a\n/../b", "https://example.com/b"],
    ["https://example.com", "https://example.com"],
  ])("%j of a webhook and of an alert is stored as %s", async (url, stored) => {
    expect((await ask("POST", "/webhooks", { name: "W", url })).body).toMatchObject({ url: stored });
    const body = { event: "order.failed", title: "T", body: "B", url };
    const { eventId } = (await app.ask<{ eventId: string }>("/v1/events", { method: "POST", apiKey: mine.key, body }))
      .body;
    expect(await get(`/events/${eventId}`)).toMatchObject({ url: stored });
  });
});
