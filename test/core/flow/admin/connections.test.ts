import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { ConnectionInput } from "../../../../core/domain/connection/connection.ts";
import { createConnection, updateConnection } from "../../../../core/flow/admin/connections.ts";
import { listConnections } from "../../../../core/store/delivery/connections.ts";
import { useWorld } from "../../../world/use-world.ts";

const CHANNEL = "C0123456789";

describe("a connection to a Slack channel", () => {
  const setUp = async () => {
    const world = await useWorld();
    const { deps, ws } = world;
    const create = (fields: object = {}) =>
      createConnection(deps, ws, v.parse(ConnectionInput, { name: "Ops", kind: "slack", channel: CHANNEL, ...fields }));
    return { world, create, list: () => listConnections(deps, ws) };
  };
  const invalidInput = (...faults: object[]) => ({ kind: "invalid_input", extras: { faults } });

  it("is refused if the channel already has a connection, because two connections would post each event twice", async () => {
    const { create, list } = await setUp();
    await create();

    await expect(create({ name: "Again" })).rejects.toMatchObject(invalidInput({ field: "channel", code: "in_use" }));
    await create({ channel: "C9999999999" });

    expect(await list()).toHaveLength(2);
  });

  it("can be linked only to existing rules and groups, when it is created and when it is changed", async () => {
    const { world, create, list } = await setUp();
    const group = await world.group("Ops", ["usr_ann"]);
    const { id: rule } = await world.rule([group]);
    const other = { ruleIds: [rule, `rule_${"0".repeat(26)}`], groupIds: [group, "grp_none", rule] };
    const faults = ["ruleIds[1]", "groupIds[1]", "groupIds[2]"].map((field) => ({ field, code: "unknown_reference" }));

    await expect(create(other)).rejects.toMatchObject(invalidInput(...faults));
    expect(await list()).toEqual([]);
    const made = await create({ ruleIds: [rule], groupIds: [group] });
    await expect(updateConnection(world.deps, world.ws, made, other)).rejects.toMatchObject(invalidInput(...faults));

    expect(await list()).toMatchObject([{ ruleIds: [rule], groupIds: [group] }]);
  });
});
