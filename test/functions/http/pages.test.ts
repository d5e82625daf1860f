import { describe, expect, it, vi } from "vitest";
import { createPipeline } from "../../../functions/http/endpoint.ts";
import { replyList } from "../../../functions/http/pages.ts";
import { call } from "../../world/http.ts";

const createQuietDeps = () => ({ log: { info: vi.fn(), warn: vi.fn(), error: vi.fn(), metric: vi.fn() } });

/** Lambda's limit for an answer whose body is a text. */
const LAMBDA_MAX_BYTES = 6_291_556;

const createRules = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ id: `rule_${index}`, name: '"'.repeat(50), text: "é".repeat(400) }));
const createListHandler = (items: readonly { id: string }[]) =>
  createPipeline(createQuietDeps()).handler(async (request) => replyList(request, items, ({ id }) => id));

describe("a list that is answered page by page", () => {
  it("is one answer without a Link header if the whole list fits", async () => {
    const answer = await call(createListHandler(createRules(3)));

    expect(answer.body).toHaveLength(3);
    expect(answer.headers).not.toHaveProperty("Link");
  });

  it("is split into answers that Lambda accepts, each with a link to the next answer", async () => {
    const all = createRules(10_000);
    const handler = createListHandler(all);
    const found: unknown[] = [];
    let after: string | undefined;
    do {
      const { body, headers } = await call<{ id: string }[]>(handler, after === undefined ? {} : { query: { after } });
      expect(JSON.stringify({ body: JSON.stringify(body) }).length).toBeLessThan(LAMBDA_MAX_BYTES);
      expect(Buffer.byteLength(JSON.stringify(JSON.stringify(body)))).toBeLessThan(LAMBDA_MAX_BYTES);
      found.push(...body);
      after = /^<\?after=(rule_\d+)>; rel="next"$/.exec(headers["Link"] ?? "")?.[1];
    } while (after !== undefined);

    expect(found).toEqual(all);
  });

  it("has Link headers with the query of the request", async () => {
    const answer = await call(createListHandler(createRules(10_000)), {
      query: { at: "2026-11-21T12:00:00Z", after: "rule_1" },
    });

    expect(answer.headers["Link"]).toMatch(/^<\?at=2026-11-21T12%3A00%3A00Z&after=rule_\d+>; rel="next"$/);
  });

  it("is refused if the parameter `after` of the query names an unknown entry", async () => {
    const answer = await call(createListHandler(createRules(3)), { query: { after: "rule_9" } });

    expect(answer).toMatchObject({ status: 422, body: { errors: [{ field: "after", code: "invalid" }] } });
  });
});
