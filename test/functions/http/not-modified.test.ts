import { describe, expect, it } from "vitest";
import { replyNotModified } from "../../../functions/http/not-modified.ts";

const answer = {
  statusCode: 200,
  headers: { "Content-Type": "application/json", "Cache-Control": "no-store" },
  body: "[]",
};
const createRequest = (ifNoneMatch?: string, method = "GET") => ({
  method,
  headers: new Map(ifNoneMatch === undefined ? [] : [["if-none-match", ifNoneMatch]]),
});
const TAG = 'W/"T1PNoYwrqgwDVLtfmj7L5e"';

describe("an HTTP answer without a version", () => {
  it("has an ETag that is a hash of its content", async () => {
    expect(await replyNotModified(createRequest(), answer)).toEqual({
      ...answer,
      headers: { ...answer.headers, ETag: TAG },
    });
    expect((await replyNotModified(createRequest(), { ...answer, body: "[1]" })).headers["ETag"]).not.toBe(TAG);
  });

  it.each([TAG, TAG.slice(2), `"other", ${TAG}`, "*"])(
    "is 304 without a body for a client whose If-None-Match names its ETag: %s",
    async (named) => {
      expect(await replyNotModified(createRequest(named), answer)).toEqual({
        statusCode: 304,
        headers: { "Cache-Control": "no-store", ETag: TAG },
        body: "",
      });
    },
  );

  it("is sent in full to a client that has a different copy", async () => {
    expect(await replyNotModified(createRequest('W/"other"'), answer)).toMatchObject({ statusCode: 200, body: "[]" });
  });
});

describe("an HTTP answer", () => {
  it.each([
    ["an answer to a method other than GET", createRequest("*", "POST"), answer],
    ["a refusal", createRequest("*"), { ...answer, statusCode: 404 }],
    ["an answer with a version", createRequest('"3"'), { ...answer, headers: { ...answer.headers, ETag: '"3"' } }],
  ])("gets no ETag if it is %s", async (_, request, given) => {
    expect(await replyNotModified(request, given)).toEqual(given);
  });
});
