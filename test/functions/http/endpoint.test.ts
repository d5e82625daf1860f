import * as v from "valibot";
import { describe, expect, it, vi } from "vitest";
import { textSchema } from "../../../core/domain/basics/text.ts";
import { parseAndCheckBody } from "../../../functions/http/body.ts";
import { replyCreated, createPipeline, replyOk } from "../../../functions/http/endpoint.ts";
import { parsePathIds } from "../../../functions/http/path.ts";
import { call } from "../../world/http.ts";

const createQuietDeps = () => ({ log: { info: vi.fn(), warn: vi.fn(), error: vi.fn(), metric: vi.fn() } });

const Condition = v.object({ field: textSchema("field", 10), value: v.number("value must be a number.") });
const Input = v.strictObject({
  name: textSchema("name", 5),
  conditions: v.optional(v.array(Condition, "conditions must be an array."), []),
});
const createEcho = (deps = createQuietDeps()) =>
  createPipeline(deps)
    .use(parseAndCheckBody(Input))
    .handler(async (request) => replyCreated(request.body));

describe("the body of a request with a schema", () => {
  it("reaches the handler as the schema parses it, with defaults", async () => {
    const answer = await call(createEcho(), { body: { name: "abc" } });

    expect(answer).toMatchObject({ status: 201, body: { name: "abc", conditions: [] } });
    expect(answer.headers).toEqual({ "Content-Type": "application/json" });
  });

  it("is refused with each of its faults, and with the field of each fault", async () => {
    const body = { name: "toolong", colour: 1, size: 2, conditions: [{ field: "f", value: 1 }, { value: "x" }] };

    const answer = await call<{ errors: unknown }>(createEcho(), { body });

    expect(answer).toMatchObject({ status: 422, headers: { "Content-Type": "application/problem+json" } });
    expect(answer.body.errors).toEqual([
      { field: "name", code: "too_long", message: "name must have at most 5 characters." },
      { field: "conditions[1].field", code: "required", message: "conditions[1].field is required." },
      { field: "conditions[1].value", code: "wrong_type", message: "value must be a number." },
      { field: "colour", code: "unknown_field", message: "colour is not a field that can be set here." },
      { field: "size", code: "unknown_field", message: "size is not a field that can be set here." },
    ]);
  });
});

describe("a misspelled field in a body", () => {
  const faultsOf = async (body: object) => (await call<{ errors: unknown }>(createEcho(), { body })).body.errors;

  it("gets a suggestion", async () => {
    expect(await faultsOf({ name: "abc", condition: [] })).toEqual([
      {
        field: "condition",
        code: "unknown_field",
        message: "condition is not a field that can be set here. Did you mean conditions?",
      },
    ]);
  });

  it("is named if it causes a required field to be missing", async () => {
    expect(await faultsOf({ nmae: "abc", conditions: [{ fields: "f", value: 1 }] })).toEqual([
      { field: "name", code: "required", message: "name is required. nmae is unknown: did you mean name?" },
      {
        field: "conditions[0].field",
        code: "required",
        message: "conditions[0].field is required. fields is unknown: did you mean field?",
      },
      {
        field: "nmae",
        code: "unknown_field",
        message: "nmae is not a field that can be set here. Did you mean name?",
      },
    ]);
  });
});

describe("a problem response", () => {
  it("has the fields of RFC 9457 and the fields that all errors of this service have", async () => {
    const missing = createPipeline(createQuietDeps())
      .use(parsePathIds("/groups/{groupId}"))
      .handler(async ({ groupId }) => replyOk({ id: groupId }));

    const answer = await call(missing, { path: { groupId: "grp_1#MEMBER" } });

    expect(answer).toEqual({
      status: 404,
      headers: { "Content-Type": "application/problem+json" },
      body: {
        type: "urn:event-alerting:problem:not_found",
        title: "Not found",
        status: 404,
        detail: "This group does not exist.",
        code: "not_found",
        message: "This group does not exist.",
        requestId: "req-1",
      },
    });
  });

  it("hides an internal failure from the caller and writes it to the log", async () => {
    const deps = createQuietDeps();
    const broken = createPipeline(deps).handler(async () => {
      throw new Error("secret reason");
    });

    const answer = await call(broken);

    expect(answer).toMatchObject({ status: 500, body: { code: "internal_error", requestId: "req-1" } });
    expect(JSON.stringify(answer)).not.toContain("secret reason");
    expect(deps.log.error).toHaveBeenCalledWith("http.failed", expect.any(Error), { requestId: "req-1" });
  });

  it("asks the caller to retry if the table is throttled", async () => {
    const throttled = createPipeline(createQuietDeps()).handler(async () => {
      throw Object.assign(new Error("slow down"), { name: "ThrottlingException" });
    });

    expect(await call(throttled)).toMatchObject({
      status: 503,
      headers: { "Retry-After": "1" },
      body: { code: "busy" },
    });
  });
});
