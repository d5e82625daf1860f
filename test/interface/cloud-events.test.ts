import { expect, it } from "vitest";
import { startFilled } from "../support/filled-app.ts";

const { app, mine, get } = await startFilled();

type Answer = {
  eventId?: string;
  events?: { eventId: string; deduplicated: boolean; warnings: { field: string }[] }[];
  warnings?: { field: string; message: string }[];
  errors?: { field: string; message: string }[];
};
const post = (body: unknown, headers: Record<string, string>, apiKey = mine.key) =>
  app.ask<Answer>("/v1/events", { method: "POST", apiKey, headers, body: body as object | string });

const BATCH = { "content-type": "application/cloudevents-batch+json" };
const createBinaryHeaders = (id: string, headers: Record<string, string> = {}) => ({
  "ce-specversion": "1.0",
  "ce-id": id,
  "ce-source": "/shop",
  "ce-type": "order.failed",
  ...headers,
});
const createCloudEvent = (id: string) => ({ specversion: "1.0", id, source: "/shop", type: "order.failed" });

it.each([
  ["JSON", "application/json", '{"message":"Declined.","order":7}', { body: "Declined.", data: { order: 7 } }],
  ["JSON of a vendor", "application/vnd.acme+json", '{"message":"Declined."}', { body: "Declined." }],
  ["a text", "text/plain; charset=utf-8", "Declined.", { body: "Declined." }],
  ["missing", "application/json", "", { body: "/shop" }],
])("a CloudEvent in binary mode is read if its data is %s", async (what, type, body, expected) => {
  const { status, body: answer } = await post(body, createBinaryHeaders(what, { "content-type": type }));

  expect({ status, warnings: answer.warnings }).toEqual({ status: 201, warnings: undefined });
  expect(await get(`/events/${answer.eventId}`)).toMatchObject(expected);
});

it("a CloudEvent in binary mode with an image is accepted without the image, and the answer says so", async () => {
  const { status, body } = await post("GIF89a", createBinaryHeaders("image", { "content-type": "image/gif" }));

  expect({ status, warnings: body.warnings }).toEqual({
    status: 201,
    warnings: [
      { field: "data", code: "not_kept", message: "data was dropped: its Content-Type is neither JSON nor text." },
    ],
  });
});

it("a CloudEvent in binary mode whose data is invalid JSON is refused with 400", async () => {
  expect((await post("{", createBinaryHeaders("broken", { "content-type": "application/json" }))).status).toBe(400);
});

it("an error about a CloudEvent in binary mode names the attribute at fault", async () => {
  const { status, body } = await post("{}", createBinaryHeaders("", { "content-type": "application/json" }));

  expect({ status, errors: body.errors?.map(({ field }) => field) }).toEqual({ status: 422, errors: ["id"] });
});

it("a CloudEvents batch with a fault stores nothing", async () => {
  const { total: before } = await get<{ total: number }>("/events");
  const { status, body } = await post([createCloudEvent("one"), { ...createCloudEvent("two"), type: "no key" }], BATCH);

  expect({ status, errors: body.errors?.map(({ field }) => field) }).toEqual({ status: 422, errors: ["[1].type"] });
  expect((await get<{ total: number }>("/events")).total).toBe(before);
});

it("a CloudEvents batch gets an answer for each event, which says what was not stored", async () => {
  const { status, body } = await post(
    [createCloudEvent("a"), { ...createCloudEvent("b"), data_base64: "aGk=" }, createCloudEvent("a")],
    BATCH,
  );

  expect({ status, fields: body.events?.map(({ warnings }) => warnings.map(({ field }) => field)) }).toEqual({
    status: 201,
    fields: [[], ["data_base64"], []],
  });
  expect(new Set(body.events?.map(({ eventId }) => eventId)).size).toBe(2);
});

it("a CloudEvents batch may not have an Idempotency-Key", async () => {
  const { status, body } = await post([createCloudEvent("c")], { ...BATCH, "idempotency-key": "k" });

  expect({ status, errors: body.errors?.map(({ field }) => field) }).toEqual({
    status: 422,
    errors: ["Idempotency-Key"],
  });
});

it("an empty CloudEvents batch is accepted only with a valid API key", async () => {
  expect((await post([], BATCH)).status).toBe(200);
  expect((await post([], BATCH, `${mine.key.slice(0, -8)}0000000`)).status).toBe(401);
});
