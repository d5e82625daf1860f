import { Webhook as Checker } from "standardwebhooks";
import { describe, expect, it } from "vitest";
import type { WorkspaceId } from "../../../../core/domain/basics/ids.ts";
import { deriveCurrentSecret, createSignedHeaders } from "../../../../core/domain/webhook/signature.ts";

const key = "a key of webhooks that is good for tests only";
const webhook = { workspaceId: "ws_1" as WorkspaceId, id: "wh_1", secret: 1 };
const body = '{"type":"event.opened","data":{"title":"Plätze frei 🙂"}}';

const signMessage = (fields: Partial<typeof webhook> & { before?: number } = {}, atMs = Date.now()) =>
  createSignedHeaders(key, { ...webhook, ...fields }, { id: "msg_1", body, atMs });

describe("the signature of a webhook message", () => {
  it("is verified by the library of the Standard Webhooks specification", async () => {
    const checker = new Checker(await deriveCurrentSecret(key, webhook));

    expect(checker.verify(body, await signMessage())).toEqual(JSON.parse(body));
  });

  it.each([
    ["another body", async () => [body.replace("opened", "closed"), await signMessage()] as const],
    ["another id", async () => [body, { ...(await signMessage()), "webhook-id": "msg_2" }] as const],
    ["another time", async () => [body, { ...(await signMessage()), "webhook-timestamp": "1" }] as const],
    ["another webhook's secret", async () => [body, await signMessage({ id: "wh_2" })] as const],
    ["another workspace's secret", async () => [body, await signMessage({ workspaceId: "ws_2" })] as const],
    ["the next secret of the same webhook", async () => [body, await signMessage({ secret: 2 })] as const],
    ["a message of an hour ago", async () => [body, await signMessage({}, Date.now() - 3_600_000)] as const],
  ])("is invalid for %s", async (_what, made) => {
    const checker = new Checker(await deriveCurrentSecret(key, webhook));
    const [text, headers] = await made();

    expect(() => checker.verify(text, headers)).toThrow();
  });

  it("is made with both secrets during a rotation, and after that only with the new secret", async () => {
    const now = Date.now();
    const [old, next] = [
      await deriveCurrentSecret(key, webhook),
      await deriveCurrentSecret(key, { ...webhook, secret: 2 }),
    ];
    const during = await signMessage({ secret: 2, before: now + 1 }, now);
    const afterwards = await signMessage({ secret: 2, before: now }, now);

    expect(old).not.toBe(next);
    expect(during["webhook-signature"]!.split(" ")).toHaveLength(2);
    for (const secret of [old, next]) expect(new Checker(secret).verify(body, during)).toBeDefined();
    expect(new Checker(next).verify(body, afterwards)).toBeDefined();
    expect(() => new Checker(old).verify(body, afterwards)).toThrow();
  });
});
