import assert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";
import * as v from "valibot";
import { section, skip } from "../check.ts";
import { expectBody, expectFaults, expectProblem, expectStatus } from "../expect.ts";
import { Accepted, DryRun, Policy, Rule, WrittenPolicy, WrittenRule } from "../shapes.ts";
import { anEvent, makeGroup, makeRule, registerDevice, send, settled, type House, type World } from "../world.ts";

type Condition = { field: string; operator: string; value?: unknown };

/** Whether a draft with these conditions matches the event, by a dry run. */
const matches = async (house: House, groupId: string, conditions: Condition[], event: object, match = "all") => {
  const rule = {
    name: "Draft",
    eventKey: "*",
    targets: [{ type: "group", groupId }],
    conditions,
    conditionMatch: match,
  };
  const answer = await house.ask("POST", "/routing-rules/test", { event: anEvent(event), rule });
  const draft = expectBody(answer, 200, DryRun).rules.find(({ id }) => id === null);
  assert.ok(draft !== undefined, "a dry run tells of its draft");
  return draft.matches;
};

const operatorCases: Readonly<Record<string, readonly { value?: unknown; holds: unknown[]; fails: unknown[] }[]>> = {
  equals: [
    { value: 5, holds: [5, "5", "5.0"], fails: [6, "x", undefined, "05x"] },
    { value: "a", holds: ["a"], fails: ["A", "ab", undefined] },
    { value: true, holds: [true, "true"], fails: [false, "True", undefined] },
  ],
  not_equals: [{ value: "a", holds: ["b", undefined, 5], fails: ["a"] }],
  contains: [{ value: "nn", holds: ["dinner", "nn"], fails: ["Nn", "n", undefined] }],
  starts_with: [{ value: "ab", holds: ["abc"], fails: ["cab", "AB", undefined] }],
  ends_with: [{ value: "bc", holds: ["abc"], fails: ["bca", undefined] }],
  one_of: [{ value: ["a", 5], holds: ["a", 5, "5"], fails: ["b", undefined] }],
  not_one_of: [{ value: ["a", 5], holds: ["b", undefined], fails: ["a", "5"] }],
  greater_than: [{ value: 10, holds: [11, "10.5"], fails: [10, 9, "x", "", undefined] }],
  greater_than_or_equal: [{ value: "10", holds: [10, "10.0", 11], fails: [9.99, undefined] }],
  less_than: [{ value: 10, holds: [9, "-3"], fails: [10, "x", undefined] }],
  less_than_or_equal: [{ value: 10, holds: [10, 9], fails: [10.01, undefined] }],
  between: [{ value: [1, 3], holds: [1, 2, 3, "2.5"], fails: [0.99, 3.01, "x", undefined] }],
  is_empty: [{ holds: [undefined, ""], fails: ["x", 0, false] }],
  is_not_empty: [{ holds: ["x", 0, false], fails: [undefined, ""] }],
  matches_regex: [{ value: "^ord(er)?-\\d+", holds: ["order-5 late", "ord-1"], fails: ["an order-5", undefined] }],
};

const operatorChecks = Object.fromEntries(
  Object.entries(operatorCases).map(([operator, cases]) => [
    `${operator} holds and fails where it should`,
    async ({ acme }: World) => {
      const groupId = await makeGroup(acme);
      for (const { value, holds, fails } of cases) {
        const condition = { field: "data.x", operator, ...(value === undefined ? {} : { value }) };
        for (const [verdict, found] of [...holds.map((x) => [true, x]), ...fails.map((x) => [false, x])]) {
          const data = found === undefined ? { other: 1 } : { x: found };
          const told = `${operator} ${JSON.stringify(value)} on ${JSON.stringify(found)}`;
          assert.equal(await matches(acme, groupId, [condition], { data }), verdict, told);
        }
      }
      await acme.ask("DELETE", `/groups/${groupId}`);
    },
  ]),
);

const create = (house: House, groupId: string, fields: object) =>
  house.ask("POST", "/routing-rules", {
    name: "conformance",
    eventKey: "nothing.ever",
    targets: [{ type: "group", groupId }],
    ...fields,
  });

const withGroup = async (house: House, run: (groupId: string) => Promise<void>): Promise<void> => {
  const groupId = await makeGroup(house, house.people.slice(0, 1));
  await run(groupId);
  await house.ask("DELETE", `/groups/${groupId}`);
};

export const rules = [
  ...section("Routing rules: create", {
    "answers 201 with the whole rule and its defaults": ({ acme }) =>
      withGroup(acme, async (groupId) => {
        const rule = expectBody(await create(acme, groupId, {}), 201, WrittenRule);
        assert.equal(rule.workspaceId, acme.id);
        assert.equal(rule.requiresAck, false);
        assert.equal(rule.onCallOnly, false);
        assert.equal(rule.priorityOverride, null);
        assert.equal(rule.escalationPolicyId, null);
        assert.equal(rule.enabled, true);
        assert.deepEqual(rule.conditions, []);
        assert.equal(rule.conditionMatch, "all");
        assert.deepEqual(rule.targets, [{ type: "group", groupId }]);
        await acme.ask("DELETE", `/routing-rules/${rule.id}`);
      }),
    "name, eventKey and targets are required": async ({ acme }) => {
      expectFaults(await acme.ask("POST", "/routing-rules", {}), "name", "eventKey", "targets");
    },
    "*, resource.* and an exact key are patterns; nothing else is": ({ acme }) =>
      withGroup(acme, async (groupId) => {
        for (const eventKey of ["*", "booking.*", "booking.created"]) {
          const { id } = expectBody(await create(acme, groupId, { eventKey, enabled: true }), 201, WrittenRule);
          await acme.ask("DELETE", `/routing-rules/${id}`);
        }
        for (const eventKey of ["", "booking", "*.created", "book*", "a.b.*", "Booking.*", "**", ".*"])
          expectFaults(await create(acme, groupId, { eventKey }), "eventKey");
      }),
    "service. is reserved in patterns, too": ({ acme }) =>
      withGroup(acme, async (groupId) => {
        for (const eventKey of ["service.*", "service.down"])
          expectFaults(await create(acme, groupId, { eventKey }), "eventKey");
      }),
    "several groups may be targets, at most 10": ({ acme }) =>
      withGroup(acme, async (groupId) => {
        const targets = (count: number) => Array.from({ length: count }, () => ({ type: "group", groupId }));
        const { id } = expectBody(await create(acme, groupId, { targets: targets(10) }), 201, WrittenRule);
        await acme.ask("DELETE", `/routing-rules/${id}`);
        expectFaults(await create(acme, groupId, { targets: targets(11) }), "targets");
        expectFaults(await create(acme, groupId, { targets: [] }), "targets");
      }),
    "a target is {type: group, groupId}": ({ acme }) =>
      withGroup(acme, async (groupId) => {
        expectFaults(await create(acme, groupId, { targets: [{ type: "user", groupId }] }), "targets[0].type");
        expectFaults(await create(acme, groupId, { targets: [{ type: "group" }] }), "targets[0].groupId");
      }),
    "a group or policy of another workspace is 422, as an unknown one": async ({ acme, globex }) => {
      const foreign = await makeGroup(globex);
      expectFaults(await create(acme, foreign, {}), "targets[0].groupId");
      expectFaults(await create(acme, "grp_0000000000000000", {}), "targets[0].groupId");
      await withGroup(acme, async (groupId) => {
        expectFaults(await create(acme, groupId, { escalationPolicyId: "pol_0000000000000000" }), "escalationPolicyId");
      });
      await globex.ask("DELETE", `/groups/${foreign}`);
    },
    "an unknown field is 422, and the one that was meant is named": ({ acme }) =>
      withGroup(acme, async (groupId) => {
        for (const [typed, meant] of [
          ["condition", "conditions"],
          ["contitions", "conditions"],
          ["onCallonly", "onCallOnly"],
        ] as const) {
          const answer = await create(acme, groupId, { [typed]: [] });
          expectFaults(answer, typed);
          const { errors = [] } = expectProblem(answer, 422, "invalid_input");
          assert.ok(errors[0]?.message.includes(meant), errors[0]?.message);
        }
      }),
    "enabled may be false from the beginning": ({ acme }) =>
      withGroup(acme, async (groupId) => {
        const rule = expectBody(await create(acme, groupId, { enabled: false }), 201, WrittenRule);
        assert.equal(rule.enabled, false);
        await acme.ask("DELETE", `/routing-rules/${rule.id}`);
        expectFaults(await create(acme, groupId, { enabled: "no" }), "enabled");
      }),
    "priorityOverride is one of the five names or null, and shown as it was written": ({ acme }) =>
      withGroup(acme, async (groupId) => {
        for (const priorityOverride of ["LOW", "NORMAL", "HIGH", "URGENT", "CRITICAL", null]) {
          const rule = expectBody(await create(acme, groupId, { priorityOverride }), 201, WrittenRule);
          assert.equal(rule.priorityOverride, priorityOverride);
          await acme.ask("DELETE", `/routing-rules/${rule.id}`);
        }
        expectFaults(await create(acme, groupId, { priorityOverride: "urgent" }), "priorityOverride");
      }),
    "name has 1 to 100 characters": ({ acme }) =>
      withGroup(acme, async (groupId) => {
        for (const name of ["", "x".repeat(101), null]) expectFaults(await create(acme, groupId, { name }), "name");
      }),
    "a rule that reaches nobody is taken with a warning": async ({ acme }) => {
      const empty = await makeGroup(acme);
      const rule = expectBody(await create(acme, empty, {}), 201, WrittenRule);
      assert.deepEqual(
        rule.warnings.map(({ code, id }) => [code, id]),
        [["group_empty", empty]],
      );
      await acme.ask("DELETE", `/routing-rules/${rule.id}`);
      await acme.ask("DELETE", `/groups/${empty}`);
    },
  }),
  ...section("Routing rules: list, change, delete", {
    "the list is an array of whole rules": ({ acme }) =>
      withGroup(acme, async (groupId) => {
        const made = expectBody(await create(acme, groupId, {}), 201, WrittenRule);
        const list = expectBody(await acme.ask("GET", "/routing-rules"), 200, v.array(Rule));
        const { warnings: _, ...rule } = made;
        assert.deepEqual(
          list.find(({ id }) => id === made.id),
          rule,
        );
        await acme.ask("DELETE", `/routing-rules/${made.id}`);
      }),
    "what GET gives of a rule may be sent back by PATCH; what nobody sets may not be changed": ({ acme }) =>
      withGroup(acme, async (groupId) => {
        const made = expectBody(await create(acme, groupId, {}), 201, WrittenRule);
        const read = expectBody(await acme.ask("GET", `/routing-rules/${made.id}`), 200, Rule);
        const back = await acme.ask("PATCH", `/routing-rules/${made.id}`, { ...read, name: "Changed" });
        const { warnings: _, ...changed } = expectBody(back, 200, WrittenRule);
        assert.deepEqual(changed, { ...read, name: "Changed", version: 2, updatedAt: changed.updatedAt });
        for (const [field, value] of Object.entries({
          id: "rule_other",
          workspaceId: "ws_other",
          createdAt: read.updatedAt.replace("20", "19"),
          version: 7,
        }))
          expectFaults(await acme.ask("PATCH", `/routing-rules/${made.id}`, { [field]: value }), field);
        expectProblem(await acme.ask("GET", "/routing-rules/rule_0000000000000000"), 404, "not_found");
        await acme.ask("DELETE", `/groups/${groupId}`);
        expectStatus(await acme.ask("PATCH", `/routing-rules/${made.id}`, changed), 200);
        await acme.ask("DELETE", `/routing-rules/${made.id}`);
      }),
    "PATCH changes only the given fields and answers the whole rule": ({ acme }) =>
      withGroup(acme, async (groupId) => {
        const made = expectBody(await create(acme, groupId, { requiresAck: true }), 201, WrittenRule);
        const answer = await acme.ask("PATCH", `/routing-rules/${made.id}`, {
          name: "Renamed",
          priorityOverride: "LOW",
        });
        const changed = expectBody(answer, 200, WrittenRule);
        assert.deepEqual(
          { ...changed, version: made.version, updatedAt: made.updatedAt },
          { ...made, name: "Renamed", priorityOverride: "LOW" },
        );
        const back = await acme.ask("PATCH", `/routing-rules/${made.id}`, { priorityOverride: null });
        assert.equal(expectBody(back, 200, WrittenRule).priorityOverride, null);
        await acme.ask("DELETE", `/routing-rules/${made.id}`);
      }),
    "enabled turns a rule off and on": ({ acme }) =>
      withGroup(acme, async (groupId) => {
        const { id } = expectBody(await create(acme, groupId, {}), 201, WrittenRule);
        for (const enabled of [false, true]) {
          const answer = await acme.ask("PATCH", `/routing-rules/${id}`, { enabled });
          assert.equal(expectBody(answer, 200, WrittenRule).enabled, enabled);
        }
        await acme.ask("DELETE", `/routing-rules/${id}`);
      }),
    "PATCH refuses unknown fields and those that cannot change, all at once": ({ acme }) =>
      withGroup(acme, async (groupId) => {
        const { id } = expectBody(await create(acme, groupId, {}), 201, WrittenRule);
        const body = { id: "rule_1", workspaceId: "ws_1", createdAt: "now", colour: "red" };
        expectFaults(await acme.ask("PATCH", `/routing-rules/${id}`, body), ...Object.keys(body));
        await acme.ask("DELETE", `/routing-rules/${id}`);
      }),
    "PATCH checks values as creating does": ({ acme, globex }) =>
      withGroup(acme, async (groupId) => {
        const foreign = await makeGroup(globex);
        const { id } = expectBody(await create(acme, groupId, {}), 201, WrittenRule);
        const patch = (body: object) => acme.ask("PATCH", `/routing-rules/${id}`, body);
        expectFaults(await patch({ eventKey: "service.*" }), "eventKey");
        expectFaults(await patch({ enabled: "yes" }), "enabled");
        expectFaults(await patch({ targets: [{ type: "group", groupId: foreign }] }), "targets[0].groupId");
        await acme.ask("DELETE", `/routing-rules/${id}`);
        await globex.ask("DELETE", `/groups/${foreign}`);
      }),
    "DELETE answers 204; after that the rule is gone": ({ acme }) =>
      withGroup(acme, async (groupId) => {
        const { id } = expectBody(await create(acme, groupId, {}), 201, WrittenRule);
        expectStatus(await acme.ask("DELETE", `/routing-rules/${id}`), 204);
        expectProblem(await acme.ask("DELETE", `/routing-rules/${id}`), 404, "not_found");
        expectProblem(await acme.ask("PATCH", `/routing-rules/${id}`, { enabled: true }), 404, "not_found");
      }),
    "a rule of another workspace is not found": async ({ acme, globex }) => {
      await withGroup(globex, async (groupId) => {
        const { id } = expectBody(await create(globex, groupId, {}), 201, WrittenRule);
        expectProblem(await acme.ask("PATCH", `/routing-rules/${id}`, { enabled: false }), 404, "not_found");
        expectProblem(await acme.ask("DELETE", `/routing-rules/${id}`), 404, "not_found");
        const list = expectBody(await globex.ask("GET", "/routing-rules"), 200, v.array(Rule));
        assert.equal(list.find((rule) => rule.id === id)?.enabled, true);
        await globex.ask("DELETE", `/routing-rules/${id}`);
      });
    },
  }),
  ...section("Conditions", {
    ...operatorChecks,
    "an unknown operator, or a value of the wrong kind, is 422 at its place": ({ acme }) =>
      withGroup(acme, async (groupId) => {
        const faulty: [Condition, string][] = [
          [{ field: "data.x", operator: "like", value: "x" }, "conditions[1].operator"],
          [{ field: "data.x", operator: "between", value: [3, 1] }, "conditions[1].value"],
          [{ field: "data.x", operator: "greater_than", value: "x" }, "conditions[1].value"],
          [{ field: "data.x", operator: "one_of", value: "x" }, "conditions[1].value"],
          [{ field: "data.x", operator: "matches_regex", value: "(?=x)" }, "conditions[1].value"],
          [{ field: "data.x", operator: "matches_regex", value: "(" }, "conditions[1].value"],
          [{ field: "detail", operator: "equals", value: "x" }, "conditions[1].field"],
          [{ field: "data.x", operator: "equals" }, "conditions[1].value"],
        ];
        const good = { field: "title", operator: "equals", value: "x" };
        for (const [condition, place] of faulty)
          expectFaults(await create(acme, groupId, { conditions: [good, condition] }), place);
      }),
    "at most 50 conditions, and 512 characters a regular expression": ({ acme }) =>
      withGroup(acme, async (groupId) => {
        const condition = { field: "title", operator: "equals", value: "x" };
        expectFaults(
          await create(acme, groupId, { conditions: Array.from({ length: 51 }, () => condition) }),
          "conditions",
        );
        const long = { field: "title", operator: "matches_regex", value: "x".repeat(513) };
        expectFaults(await create(acme, groupId, { conditions: [long] }), "conditions[0].value");
      }),
    "title, body, priority and paths of data can be asked": ({ acme }) =>
      withGroup(acme, async (groupId) => {
        const event = { title: "T", body: "B", priority: "HIGH", data: { a: { b: "c" } } };
        for (const [field, value] of [
          ["title", "T"],
          ["body", "B"],
          ["priority", "HIGH"],
          ["data.a.b", "c"],
        ] as const)
          assert.ok(await matches(acme, groupId, [{ field, operator: "equals", value }], event), field);
      }),
    "CRITICAL and URGENT are one priority": ({ acme }) =>
      withGroup(acme, async (groupId) => {
        for (const [value, priority] of [
          ["CRITICAL", "URGENT"],
          ["URGENT", "CRITICAL"],
        ] as const)
          assert.ok(await matches(acme, groupId, [{ field: "priority", operator: "equals", value }], { priority }));
      }),
    "priority has an order: LOW, NORMAL, HIGH, URGENT": ({ acme }) =>
      withGroup(acme, async (groupId) => {
        const above = [{ field: "priority", operator: "greater_than", value: "NORMAL" }];
        for (const [priority, holds] of [
          ["LOW", false],
          ["NORMAL", false],
          ["HIGH", true],
          ["CRITICAL", true],
        ] as const)
          assert.equal(await matches(acme, groupId, above, { priority }), holds, priority);
        const between = [{ field: "priority", operator: "between", value: ["NORMAL", "HIGH"] }];
        assert.equal(await matches(acme, groupId, between, { priority: "URGENT" }), false);
        for (const value of [5, "high"])
          expectFaults(
            await create(acme, groupId, { conditions: [{ field: "priority", operator: "less_than", value }] }),
            "conditions[0].value",
          );
      }),
    "all asks for every condition, any for one": ({ acme }) =>
      withGroup(acme, async (groupId) => {
        const conditions = [
          { field: "title", operator: "equals", value: "T" },
          { field: "body", operator: "equals", value: "other" },
        ];
        assert.equal(await matches(acme, groupId, conditions, { title: "T" }), false);
        assert.equal(await matches(acme, groupId, conditions, { title: "T" }, "any"), true);
        expectFaults(await create(acme, groupId, { conditionMatch: "some" }), "conditionMatch");
      }),
    "a costly pattern does not hold anybody up": ({ acme }) =>
      withGroup(acme, async (groupId) => {
        const condition = { field: "body", operator: "matches_regex", value: "^(a+)+$" };
        const began = performance.now();
        assert.equal(await matches(acme, groupId, [condition], { body: `${"a".repeat(1_999)}!` }), false);
        assert.ok(performance.now() - began < 3_000);
      }),
  }),
  ...section("Dry run", {
    "tells of saved rules and a draft whether they match, why, and whom they would tell": ({ acme, unique }) =>
      withGroup(acme, async (groupId) => {
        const event = `${unique("k")}.x`;
        const saved = await makeRule(acme, { eventKey: event, groupId });
        const answer = await acme.ask("POST", "/routing-rules/test", {
          event: anEvent({ event, data: { n: 5 } }),
          rule: {
            eventKey: "*",
            targets: [{ type: "group", groupId }],
            conditions: [{ field: "data.n", operator: "greater_than", value: 10 }],
          },
        });
        const { rules: tried, matchedRules } = expectBody(answer, 200, DryRun);
        const found = tried.find(({ id }) => id === saved.id);
        assert.equal(found?.matches, true);
        assert.deepEqual(
          found?.recipients.map(({ userId }) => userId),
          [acme.owner.userId],
        );
        const draft = tried.find(({ id }) => id === null);
        assert.equal(draft?.matches, false);
        assert.deepEqual(draft?.recipients, []);
        assert.deepEqual(draft?.conditions, [
          { field: "data.n", operator: "greater_than", expected: 10, actual: 5, verdict: false },
        ]);
        assert.ok(matchedRules >= 1);
        await acme.ask("DELETE", `/routing-rules/${saved.id}`);
      }),
    "the event's warnings are those that sending it would answer": async ({ acme }) => {
      const event = anEvent({ dedupe_key: "k", requires_ack: true });
      const sent = expectBody(await acme.post(event), 201, Accepted).warnings ?? [];
      const tried = expectBody(await acme.ask("POST", "/routing-rules/test", { event }), 200, DryRun).warnings;
      assert.deepEqual(
        sent.map(({ field }) => field),
        ["dedupe_key", "requires_ack"],
      );
      for (const warning of sent) assert.ok(tried.some((one) => isDeepStrictEqual(one, warning)));
    },
    "stores and sends nothing": async (world) => {
      const house = await world.fresh();
      const groupId = await makeGroup(house, house.people);
      await makeRule(house, { eventKey: "*", groupId });
      expectStatus(await house.ask("POST", "/routing-rules/test", { event: anEvent() }), 200);
      assert.deepEqual(expectBody(await house.ask("GET", "/notifications"), 200, v.array(v.unknown())), []);
      assert.deepEqual(expectBody(await house.ask("GET", "/event-types"), 200, v.array(v.unknown())), []);
    },
    "checks the event as sending one does": async ({ acme }) => {
      const answer = await acme.ask("POST", "/routing-rules/test", {
        event: { event: "service.x", title: "", body: "b" },
      });
      expectFaults(answer, "event.event", "event.title");
    },
  }),
  ...section("Matching", {
    "an exact key, a prefix and * match; a disabled rule and other keys do not": async (world) => {
      const house = await world.fresh();
      const groupId = await makeGroup(house, house.people.slice(0, 1));
      const matching = [];
      for (const eventKey of ["order.failed", "order.*", "*"])
        matching.push(await makeRule(house, { eventKey, groupId }));
      for (const eventKey of ["order.paid", "orders.*"]) await makeRule(house, { eventKey, groupId });
      const disabled = await makeRule(house, { eventKey: "*", groupId });
      await house.ask("PATCH", `/routing-rules/${disabled.id}`, { enabled: false });
      const told = await settled(house, await send(house, { event: "order.failed" }));
      assert.deepEqual(told.map(({ rule }) => rule.id).sort(), matching.map(({ id }) => id).sort());
    },
    "conditions decide on delivery as they do in a dry run": async (world) => {
      const house = await world.fresh();
      const groupId = await makeGroup(house, house.people.slice(0, 1));
      const conditions = [{ field: "data.amount", operator: "greater_than", value: 100 }];
      await makeRule(house, { eventKey: "*", groupId, conditions });
      assert.equal((await settled(house, await send(house, { data: { amount: 101 } }))).length, 1);
      assert.equal((await settled(house, await send(house, { data: { amount: 100 } }))).length, 0);
    },
    "a change of a rule counts for the next event": async (world) => {
      const house = await world.fresh();
      const groupId = await makeGroup(house, house.people.slice(0, 1));
      const { id } = await makeRule(house, { eventKey: "a.b", groupId });
      assert.equal((await settled(house, await send(house, { event: "a.b" }))).length, 1);
      await house.ask("PATCH", `/routing-rules/${id}`, { eventKey: "c.d" });
      assert.equal((await settled(house, await send(house, { event: "a.b" }))).length, 0);
      const [told] = await settled(house, await send(house, { event: "c.d" }));
      assert.equal(told?.rule.version, 2);
      await house.ask("DELETE", `/routing-rules/${id}`);
      assert.equal((await settled(house, await send(house, { event: "c.d" }))).length, 0);
    },
    "priorityOverride and requiresAck of the rule count; the event's own requiresAck wins": async (world) => {
      const house = await world.fresh();
      const groupId = await makeGroup(house, house.people.slice(0, 1));
      await makeRule(house, { eventKey: "*", groupId, priorityOverride: "CRITICAL", requiresAck: true });
      const [plain] = await settled(house, await send(house, { priority: "LOW" }));
      assert.deepEqual([plain?.priority, plain?.requiresAck], ["URGENT", true]);
      const [own] = await settled(house, await send(house, { requiresAck: false }));
      assert.equal(own?.requiresAck, false);
    },
    "a group's deletion leaves its rules, which tell nobody until they get another group": async (world) => {
      const house = await world.fresh();
      const groupId = await makeGroup(house, house.people.slice(0, 1));
      const { id } = await makeRule(house, { eventKey: "*", groupId });
      expectStatus(await house.ask("DELETE", `/groups/${groupId}`), 204);
      assert.equal((await settled(house, await send(house))).length, 0);
      const rest = expectBody(await house.ask("GET", "/routing-rules"), 200, v.array(Rule));
      assert.deepEqual(
        rest.map((rule) => rule.id),
        [id],
      );
      const other = await makeGroup(house, house.people.slice(0, 1));
      const moved = await house.ask("PATCH", `/routing-rules/${id}`, { targets: [{ type: "group", groupId: other }] });
      expectStatus(moved, 200);
      assert.equal((await settled(house, await send(house))).length, 1);
    },
    "who is in two target groups is told once by a rule": async (world) => {
      const house = await world.fresh();
      const groups = [await makeGroup(house, house.people), await makeGroup(house, house.people.slice(0, 1))];
      const targets = groups.map((groupId) => ({ type: "group", groupId }));
      expectStatus(await house.ask("POST", "/routing-rules", { name: "two", eventKey: "*", targets }), 201);
      assert.equal((await settled(house, await send(house))).length, 2);
    },
    "onCallOnly tells only those of the group who are on call": async (world) => {
      const house = await world.fresh();
      const [alice, bob] = house.people;
      const groupId = await makeGroup(house, house.people);
      const layer = { start: "2026-01-05T00:00", every: 1, unit: "week", participants: [bob?.userId] };
      expectStatus(await house.ask("PUT", `/groups/${groupId}/on-call`, { timeZone: "UTC", layers: [layer] }), 200);
      await makeRule(house, { eventKey: "*", groupId, onCallOnly: true });
      const told = await settled(house, await send(house));
      assert.deepEqual(
        told.map(({ user }) => user.id),
        [bob?.userId],
      );
      assert.ok(alice !== undefined);
    },
    "data is not in the push, title and body are": async (world) => {
      const { session, unique } = world;
      if (session.fcm === undefined) return skip("no stand-in takes the pushes");
      const house = await world.fresh();
      const token = unique("conformance-");
      expectStatus(await registerDevice(house, house.owner, token), 201);
      const groupId = await makeGroup(house, house.people.slice(0, 1));
      await makeRule(house, { eventKey: "*", groupId });
      const secret = unique("secret");
      const [told] = await settled(
        house,
        await send(house, { title: "Push title", body: "Push body", detail: secret, data: { secret } }),
      );
      assert.equal(told?.status, "SENT");
      const inbox = JSON.stringify(await (await fetch(session.fcm.inboxUrl)).json());
      assert.ok(inbox.includes(token) && inbox.includes("Push title") && inbox.includes("Push body"));
      assert.ok(!inbox.includes(secret));
    },
  }),
  ...section("Escalation policies", {
    "create, read, list, change and delete": async ({ acme }) => {
      const groupId = await makeGroup(acme);
      const steps = [
        {
          delayMinutes: 5,
          targets: [
            { type: "group", groupId },
            { type: "user", userId: acme.owner.userId },
          ],
        },
      ];
      const { warnings: _, ...made } = expectBody(
        await acme.ask("POST", "/escalation-policies", { name: "P", repeat: 2, steps }),
        201,
        WrittenPolicy,
      );
      assert.deepEqual([made.name, made.repeat, made.steps.length, made.workspaceId], ["P", 2, 1, acme.id]);
      assert.deepEqual(expectBody(await acme.ask("GET", `/escalation-policies/${made.id}`), 200, Policy), made);
      const list = expectBody(await acme.ask("GET", "/escalation-policies"), 200, v.array(Policy));
      assert.ok(list.some(({ id }) => id === made.id));
      const changed = await acme.ask("PATCH", `/escalation-policies/${made.id}`, { repeat: 0 });
      assert.deepEqual(
        [expectBody(changed, 200, WrittenPolicy).repeat, expectBody(changed, 200, WrittenPolicy).name],
        [0, "P"],
      );
      expectFaults(
        await acme.ask("PATCH", `/escalation-policies/${made.id}`, { id: "pol_1", colour: 1 }),
        "id",
        "colour",
      );
      expectStatus(await acme.ask("DELETE", `/escalation-policies/${made.id}`), 204);
      expectProblem(await acme.ask("GET", `/escalation-policies/${made.id}`), 404, "not_found");
      await acme.ask("DELETE", `/groups/${groupId}`);
    },
    "repeat is 0 to 5, delayMinutes 1 to 1440": async ({ acme }) => {
      const ask = (fields: object) =>
        acme.ask("POST", "/escalation-policies", { name: "P", repeat: 0, steps: [], ...fields });
      for (const repeat of [-1, 6, 1.5, "1"]) expectFaults(await ask({ repeat }), "repeat");
      for (const delayMinutes of [0, 1441, 0.5])
        expectFaults(await ask({ steps: [{ delayMinutes, targets: [] }] }), "steps[0].delayMinutes");
    },
    "foreign groups and users in steps are 422 at their place": async ({ acme, globex }) => {
      const groupId = await makeGroup(globex);
      const targets = [
        { type: "group", groupId },
        { type: "user", userId: globex.owner.userId },
      ];
      const body = { name: "P", repeat: 0, steps: [{ delayMinutes: 1, targets }] };
      expectFaults(
        await acme.ask("POST", "/escalation-policies", body),
        "steps[0].targets[0].groupId",
        "steps[0].targets[1].userId",
      );
      await globex.ask("DELETE", `/groups/${groupId}`);
    },
    "a rule may name one; its deletion leaves the rule": async ({ acme }) => {
      const groupId = await makeGroup(acme);
      const made = await acme.ask("POST", "/escalation-policies", { name: "P", repeat: 0, steps: [] });
      const policy = expectBody(made, 201, WrittenPolicy);
      const rule = await makeRule(acme, { eventKey: "nothing.ever", groupId, escalationPolicyId: policy.id });
      assert.equal(rule.escalationPolicyId, policy.id);
      const gone = expectStatus(await acme.ask("DELETE", `/escalation-policies/${policy.id}`), 204);
      assert.ok((gone.headers.get("x-warning") ?? "").includes(rule.id));
      const patched = await acme.ask("PATCH", `/routing-rules/${rule.id}`, { name: "still here" });
      assert.ok(expectBody(patched, 200, WrittenRule).warnings.some(({ code }) => code === "policy_deleted"));
      await acme.ask("DELETE", `/routing-rules/${rule.id}`);
      await acme.ask("DELETE", `/groups/${groupId}`);
    },
  }),
];
