import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { startFilled } from "../support/filled-app.ts";
import { sourcePayloads } from "../support/source-payloads.ts";

const { app, ask, get } = await startFilled();
const SECRET = "b2d0f3f1e0a94f3c8f0f6a1d5c7e9b3a4d6f8091a2b3c4d5e6f708192a3b4c5d";

type Made = { id: string; key: string; url: string; signed: boolean };
type Answer = { code?: string; detail?: string; events?: { eventKey: string; deduplicated: boolean }[] };

const createKey = async (input: object = {}) =>
  (await ask<Made>("POST", "/api-keys", { name: "Sentry", source: "sentry", signingSecret: SECRET, ...input })).body;

const firing = JSON.stringify(sourcePayloads["sentry"]!.firing);
const signBody = (body: string, secret = SECRET) => createHmac("sha256", secret).update(body, "utf8").digest("hex");

/** Sends compact JSON with these headers, as Sentry does. */
const send = ({ url }: Made, body: string, signature: string | undefined) =>
  app.ask<Answer>(new URL(url).pathname, {
    method: "POST",
    body,
    headers: {
      "content-type": "application/json",
      "request-id": "8cd1f1d0-9e9a-4b0e-8d8f-2f1a6a3a1b1c",
      "sentry-hook-resource": "issue",
      "sentry-hook-timestamp": "1767225600",
      ...(signature === undefined ? {} : { "sentry-hook-signature": signature }),
    },
  });

const countEvents = async () => (await get<{ total: number }>("/events?limit=1")).total;

describe("an API key with the secret of a Sentry integration", () => {
  it("accepts messages that are signed with the secret", async () => {
    const { status, body } = await send(await createKey(), firing, signBody(firing));

    expect([status, body.events?.[0]?.eventKey]).toEqual([201, "sentry.firing"]);
  });

  it.each([
    ["no signature", firing, undefined, /Sentry-Hook-Signature must be .*, but it is missing\.$/],
    ["the signature of another secret", firing, signBody(firing, `${SECRET}0`), /but it is not\.$/],
    ["the signature of another body", `${firing} `, signBody(firing), /but it is not\.$/],
    ["only the beginning of the right signature", firing, signBody(firing).slice(0, 32), /but it is not\.$/],
    ["no signature, and a body that is not JSON", "{", undefined, /but it is missing\.$/],
  ])("refuses a message with %s, and creates no event", async (_, body, signature, says) => {
    const before = await countEvents();

    const answer = await send(await createKey(), body, signature);

    expect([answer.status, answer.body.code]).toEqual([401, "unauthenticated"]);
    expect(answer.body.detail).toMatch(says);
    expect(await countEvents()).toBe(before);
  });

  it("reports faults of a body only after the signature of the body is verified", async () => {
    const { status, body } = await send(await createKey(), "{", signBody("{"));

    expect([status, body.code]).toEqual([400, "malformed_json"]);
  });

  it("is shown without the secret, in every list and in the audit trail", async () => {
    const made = await createKey({ name: "Signed" });

    const answers = [made, await get(`/api-keys/${made.id}`), await get("/api-keys"), await get("/audit")];
    expect(answers.map((answer) => JSON.stringify(answer).includes(SECRET))).toEqual([false, false, false, false]);
    expect(made.signed).toBe(true);
    expect(await get(`/api-keys/${made.id}`)).toMatchObject({ signed: true });
  });
});

it("an API key without a signing secret accepts signed and unsigned messages", async () => {
  const { body: made } = await ask<Made>("POST", "/api-keys", { name: "Sentry", source: "sentry" });

  expect(made.signed).toBe(false);
  expect((await send(made, firing, undefined)).status).toBeLessThan(300);
  expect((await send(made, firing, "0")).status).toBeLessThan(300);
});
