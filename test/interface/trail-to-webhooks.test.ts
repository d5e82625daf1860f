import { describe, expect, it } from "vitest";
import { startFurnished } from "../support/furnished.ts";
import { alice } from "../support/people.ts";

const { ask } = await startFurnished();

type Answer = { id: string; code?: string; detail?: string };
const mona = "usr_00000000000000000000000000000022";
await ask("POST", "/members", { userId: mona, name: "Mona", email: "mona@acme.example" }, alice);

const trail = { name: "Trail", url: "https://trail.example.com/hook", types: ["audit.recorded"] };
const create = (body: object, as: string) => ask<Answer>("POST", "/webhooks", body, as);
const change = (id: string, body: object, as: string) => ask<Answer>("PATCH", `/webhooks/${id}`, body, as);
const refused = { status: 403, body: { code: "role_required", detail: expect.stringContaining("of the audit trail") } };

describe("a webhook that is told of the audit trail", () => {
  it("is made by owners, who alone read it, and by no manager", async () => {
    expect(await create(trail, mona)).toMatchObject(refused);
    expect(await create(trail, alice)).toMatchObject({ status: 201 });
    expect(await create({ ...trail, name: "Duty", types: ["oncall.changed"] }, mona)).toMatchObject({ status: 201 });
  });

  it("is neither made of another one by a manager, nor given another address", async () => {
    const duty = await create({ ...trail, name: "Shifts", types: ["oncall.changed"] }, mona);
    expect(await change(duty.body.id, { types: ["oncall.changed", "audit.recorded"] }, mona)).toMatchObject(refused);
    expect(await change(duty.body.id, { types: ["audit.recorded"] }, alice)).toMatchObject({ status: 200 });

    expect(await change(duty.body.id, { url: "https://mona.example.com/hook" }, mona)).toMatchObject(refused);
    expect(await change(duty.body.id, { paused: true }, mona)).toMatchObject({ status: 200 });
    expect(await change(duty.body.id, { types: ["event.opened"] }, mona)).toMatchObject({ status: 200 });
  });
});
