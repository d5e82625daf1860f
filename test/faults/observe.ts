import { encodeBase32 } from "../../core/domain/basics/ids.ts";
import { parseDeviceId } from "../../core/domain/device/device.ts";
import { parseFiringKey, parseWorkspaceId } from "../../core/store/keys.ts";
import type { Item, Value, Write } from "./engine/dynamo.ts";
import type { PushCall } from "./engine/fcm.ts";
import type { World } from "./engine/world.ts";
import { isPartitionOf } from "./items.ts";

export type Observations = {
  violations: string[];
  finishedAt: Map<string, number>;
  /** The times at which events were stored, by workspace and event number. */
  storedAt: Map<string, number>;
};

const RANK: Readonly<Record<string, number>> = {
  QUEUED: 0,
  SENT: 1,
  FAILED: 1,
  DELIVERED: 2,
  OPENED: 3,
  ACKNOWLEDGED: 4,
};

const recipientsOf = (item: Item | undefined): Record<string, Value>[] =>
  (item?.["r"]?.L ?? []).map((recipient) => recipient.M ?? {});

const outcomesOf = (recipient: Record<string, Value> | undefined): Map<string, string> =>
  new Map(Object.entries(recipient?.["d"]?.M ?? {}).map(([device, attempt]) => [device, attempt.L?.[0]?.S ?? ""]));

/** Watches all writes: some values may never change, and some states may only move forward. */
export const observe = (world: World): Observations => {
  const observations: Observations = { violations: [], finishedAt: new Map(), storedAt: new Map() };
  const tokens = new Map<string, string>();
  const addViolation = (text: string) => observations.violations.push(text);

  /** Returns a device's name with its workspace, because devices of two workspaces may have the same id. */
  const nameOf = (pk: string, device: string) => `${pk.split("#")[1]} ${device}`;
  const learnTokens = (pk: string, item: Item | undefined) => {
    for (const [device, { M }] of Object.entries(item?.["devices"]?.M ?? {})) {
      const endpoint = M?.["subscription"]?.M?.["endpoint"]?.S;
      const mailbox = M?.["email"]?.S?.replace(/@.*$/, "");
      tokens.set(
        nameOf(pk, device),
        M?.["token"]?.S ?? mailbox ?? M?.["phone"]?.S ?? endpoint?.replace(/^.*\//, "") ?? "",
      );
    }
  };
  const isOn = ({ token, channel }: PushCall, pk: string, line: string): boolean =>
    token === tokens.get(nameOf(pk, parseDeviceId(line))) && (channel === "voice") === (line !== parseDeviceId(line));
  for (const pk of world.dynamo.partitions())
    if (pk.endsWith("#DEVICES")) for (const item of world.dynamo.list(pk)) learnTokens(pk, item);

  const checkPack = ({ pk, sk, before, after, by }: Write) => {
    if (after === undefined) return addViolation(`pack ${sk} was deleted`);
    const now = recipientsOf(after);
    for (const [position, earlier] of recipientsOf(before).entries()) {
      const later = now[position];
      const [from, to] = [earlier["s"]?.S ?? "", later?.["s"]?.S ?? ""];
      const id = `ntf_${sk}${encodeBase32(position, 1)}`;
      // A notification that failed at one step may succeed at a later step.
      const isNotified = from === "FAILED" && to === "SENT" && after["rang"] !== undefined;
      if (from !== to && !isNotified && (RANK[to] ?? -1) <= (RANK[from] ?? 0))
        addViolation(`${id} changed from ${from} to ${to}`);
      for (const time of ["t", "a"])
        if (earlier[time]?.N !== undefined && earlier[time].N !== later?.[time]?.N)
          addViolation(`${id} changed its time ${time}`);
      if (from === "QUEUED" && to !== "QUEUED") observations.finishedAt.set(sk, world.kernel.now());
      const known = outcomesOf(earlier);
      for (const [device, outcome] of outcomesOf(later)) {
        if (outcome === "sending" || known.get(device) === outcome) continue;
        for (const call of world.fcm.callsFor(parseWorkspaceId({ pk }), id))
          if (call.invocation === by && isOn(call, pk, device)) call.isStored = true;
        if (known.get(device) === "accepted") addViolation(`${id} lost the record that device ${device} accepted it`);
      }
    }
    return undefined;
  };

  const checkEscalation = ({ sk, before, after }: Write) => {
    if (after === undefined) return addViolation(`escalation ${sk} was deleted`);
    if (before?.["state"]?.S === "acknowledged") {
      // A temporary acknowledgement may end.
      const mayEnd = before["until"] !== undefined && after["ends"] !== undefined;
      if (after["state"]?.S !== "acknowledged" && !mayEnd) addViolation(`escalation ${sk} lost its acknowledgement`);
      if (Number(after["last"]?.N) > Number(before["last"]?.N))
        addViolation(`escalation ${sk} fired after its acknowledgement`);
    }
    if (before !== undefined && Number(after["last"]?.N) < Number(before["last"]?.N))
      addViolation(`escalation ${sk} went back to an earlier step`);
    return undefined;
  };

  const checkFiring = ({ pk, sk, before, after }: Write) => {
    if (before === undefined || JSON.stringify(before) === JSON.stringify(after)) return undefined;
    const key = { pk: pk.replace(/FIRINGS$/, "ESCALATIONS"), sk: sk.replace(/#\d+$/, "") };
    const escalation = world.dynamo.get(key);
    // A step that a temporary acknowledgement prevented may be decided again after the acknowledgement has ended.
    const isForestalled = Number(escalation?.["last"]?.N) < parseFiringKey({ sk }).cursor;
    if (escalation?.["ends"] === undefined || !isForestalled) addViolation(`firing ${sk} was decided again`);
    return undefined;
  };

  const checkEvent = ({ pk, sk, before, after }: Write) => {
    if (after === undefined) return addViolation(`event ${sk} was deleted`);
    if (before === undefined) observations.storedAt.set(`${pk.split("#")[1]} ${Number(sk)}`, world.kernel.now());
    // An event that a silence held back gets another plan when the silence has ended.
    const planned = before?.["held"] === undefined ? ["plan"] : [];
    // A snooze replaces a permanent acknowledgement.
    const acknowledged = after["ack"] === undefined && after["term"] !== undefined ? [] : ["ack"];
    for (const field of ["nonce", "content", "at", "resolved", ...acknowledged, ...planned])
      if (before?.[field] !== undefined && JSON.stringify(before[field]) !== JSON.stringify(after[field]))
        addViolation(`event ${sk} changed its ${field}`);
    return undefined;
  };

  world.onWrite((write) => {
    if (write.pk.includes("#NOTIFICATIONS")) checkPack(write);
    else if (write.pk.endsWith("#ESCALATIONS")) checkEscalation(write);
    else if (write.pk.endsWith("#FIRINGS")) checkFiring(write);
    else if (isPartitionOf("EVENTS", write.pk)) checkEvent(write);
    else if (write.pk.endsWith("#DEVICES")) learnTokens(write.pk, write.after);
  });
  return observations;
};
