import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as keys from "../../../core/store/keys.ts";
import type { Key } from "../../../core/store/keys.ts";

/** A few ids, each a prefix of another, so that confused keys would collide. */
const idOf = <Prefix extends string>(prefix: Prefix) =>
  fc
    .string({ unit: fc.constantFrom("0", "1", "a", "A"), minLength: 1, maxLength: 2 })
    .map((chars) => `${prefix}_${chars}` as const);
const [ws, user, group, rule, policy, event] = [
  idOf("ws"),
  idOf("usr"),
  idOf("grp"),
  idOf("rule"),
  idOf("pol"),
  idOf("evt"),
];
const hash = fc.string({ unit: fc.constantFrom("0", "1", "-", "_"), minLength: 1, maxLength: 3 });
const eventType = fc.constantFrom("a.b", "a.bb", "aa.b", "a_.b", "a.b_", "1.a");
const number = fc.constantFrom(0, 1, 10, 11, 110, 1_000_001, 1_000_010, 99_999_999_999);
const due = fc.constantFrom(0, 1, 11, 9_999_999_999_999);
const small = fc.constantFrom(0, 1, 10, 11, 110);
const packId = fc.string({ unit: fc.constantFrom("0", "1", "z", "u"), minLength: 26, maxLength: 26 });

const made = <Args extends unknown[]>(
  name: string,
  args: { [Index in keyof Args]: fc.Arbitrary<Args[Index]> },
  key: (...args: Args) => Key,
) => fc.tuple(...args).map((values) => ({ what: JSON.stringify([name, ...values]), key: key(...(values as Args)) }));

const kinds = [
  made("control", [ws], keys.controlKey),
  made("workspace", [ws], keys.workspaceKey),
  made("member set", [ws], keys.memberSetKey),
  made("lost", [ws, fc.constantFrom(0, 1, 2, 3), number], keys.lostKey),
  made("audited", [ws], keys.auditedKey),
  made("day", [ws, fc.constantFrom("2026-11-21", "2027-01-01")], keys.dayKey),
  made("API key", [ws, idOf("key")], keys.apiKeyKey),
  made("rule", [ws, rule], keys.ruleKey),
  made("rule version", [ws, rule, number], keys.ruleVersionKey),
  made("member", [ws, user], keys.memberKey),
  made("group", [ws, group], keys.groupKey),
  made("group member", [ws, group, user], keys.groupMemberKey),
  made("on call", [ws, group], keys.onCallKey),
  made("override", [ws, group, idOf("ovr")], keys.overrideKey),
  made("cover", [ws, idOf("cov")], keys.coverKey),
  made("due cover", [due, ws, idOf("cov")], keys.dueCoverKey),
  made("policy", [ws, policy], keys.policyKey),
  made("membership", [user, ws], keys.membershipKey),
  made("devices", [ws, user], keys.devicesKey),
  made("token", [hash], keys.tokenOwnerKey),
  // The first of the partitions that share the events also contains those that are not spread.
  made("event", [ws, number, fc.constant(false)], keys.eventKey),
  made("spread event", [ws, number.filter((seq) => Math.floor(seq / 64) % 4 !== 0), fc.constant(true)], keys.eventKey),
  made("course", [ws, number], keys.progressKey),
  made("pack", [ws, packId], keys.packKey),
  made("escalation", [ws, number, small], keys.escalationKey),
  made("note", [ws, event, small], keys.noteKey),
  made("event marker", [due, ws, event], keys.eventMarkerKey),
  made("step marker", [due, ws, event, small, small], keys.stepMarkerKey),
  made("hand marker", [due, ws, event, user], keys.handoffMarkerKey),
  made("audit", [due, ws], keys.auditKey),
  made("dedupe", [ws, hash], keys.dedupeKey),
  made("idempotency", [ws, hash], keys.idempotencyKey),
  made("event type", [ws, eventType], keys.eventTypeKey),
  made("site", [ws, hash, fc.boolean()], keys.siteKey),
  made("site event", [ws, hash, fc.boolean(), number], keys.siteEventKey),
];

describe("the keys of items", () => {
  it("are never equal for two different items", () => {
    const owners = new Map<string, string>();
    for (const kind of kinds)
      for (const { what, key } of fc.sample(kind, { numRuns: 4000, seed: 1 })) {
        const text = JSON.stringify([key.pk, key.sk]);
        expect(owners.get(text) ?? what).toBe(what);
        owners.set(text, what);
      }

    expect(owners.size).toBeGreaterThan(20_000);
  });

  it("cover, by the prefix of a group, all items of that group and no items of another group", () => {
    fc.assert(
      fc.property(ws, group, group, user, (ws, one, other, user) => {
        expect(keys.groupMemberKey(ws, other, user).sk.startsWith(keys.groupMemberPrefix(one))).toBe(one === other);
        expect(keys.overrideKey(ws, other, user).sk.startsWith(keys.overridePrefix(one))).toBe(one === other);
      }),
    );
  });

  it("for people have prefixes of their own", () => {
    const prefixes = [
      keys.memberPrefix,
      keys.groupPrefix,
      keys.anyGroupMemberPrefix,
      keys.onCallPrefix,
      keys.anyOverridePrefix,
      keys.policyPrefix,
    ];

    for (const one of prefixes) expect(prefixes.filter((other) => one.startsWith(other))).toEqual([one]);
  });

  it("can be parsed into the values that they were made of", () => {
    fc.assert(
      fc.property(ws, user, number, small, small, (ws, user, seq, rule, cursor) => {
        for (const key of [
          keys.eventKey(ws, seq, false),
          keys.eventKey(ws, seq, true),
          keys.packKey(ws, "0"),
          keys.memberKey(ws, user),
          keys.controlKey(ws),
        ])
          expect(keys.workspaceOfKey(key)).toBe(ws);
        for (const key of [keys.eventKey(ws, seq, false), keys.eventKey(ws, seq, true), keys.progressKey(ws, seq)])
          expect(keys.seqOfEventKey(key)).toBe(seq);
        expect(keys.workspaceOfMembershipKey(keys.membershipKey(user, ws))).toBe(ws);
        expect(keys.stepOfFiringKey(keys.firingKey(ws, seq, rule, cursor))).toEqual({ rule, cursor });
      }),
    );
  });
});
