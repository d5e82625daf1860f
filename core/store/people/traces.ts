import { ScanCommand } from "@aws-sdk/lib-dynamodb";
import * as v from "valibot";
import type { AuditDeps, TableDeps } from "../../deps.ts";
import { parseOrThrow } from "../../domain/basics/read-own.ts";
import { isReservedEventKey } from "../../domain/basics/event-key.ts";
import { hideOtherPeople, isPlainObject, containsId, type Traces, erasePerson } from "../../domain/people/erasure.ts";
import { normalizeEmail } from "../../domain/people/invitation.ts";
import { deflate, inflateToText } from "../codec.ts";
import { deleteInvitation } from "./invitations.ts";
import {
  coversPk,
  devicesPk,
  invitationsPk,
  isAddressKey,
  isMessageKey,
  isCalendarSecretKey,
  isEventKey,
  memberKey,
  notificationRulesKey,
  slackAccountsPk,
  trailPk,
  userPk,
  parseWorkspaceId,
} from "../keys.ts";
import { deleteItem, updateItem } from "../table.ts";

/* Reads the whole table (only in the operator's command), because the person may have left workspaces. */

const Item = v.looseObject({ pk: v.string(), sk: v.string() });
type Item = v.InferOutput<typeof Item>;
const Pages = v.object({ Items: v.optional(v.array(Item), []), LastEvaluatedKey: v.optional(v.looseObject({})) });

const forEachPageOfTable = async (deps: TableDeps, work: (items: readonly Item[]) => Promise<void>): Promise<void> => {
  let start: Record<string, unknown> | undefined;
  do {
    const command = new ScanCommand({ TableName: deps.table.name, ConsistentRead: true, ExclusiveStartKey: start });
    const page = parseOrThrow("a page of the table scan", Pages, await deps.table.client.send(command));
    await work(page.Items);
    start = page.LastEvaluatedKey;
  } while (start !== undefined);
};

/** Returns the content of deflated bytes, or of a message's JSON text; undefined for any other value. */
const unpackValue = (value: unknown, isMessage: boolean): unknown => {
  const text = value instanceof Uint8Array ? inflateToText(value) : isMessage && typeof value === "string" ? value : "";
  if (text === undefined || !text.startsWith("{")) return undefined;
  return JSON.parse(text);
};

/** Returns whether an item is an event that a workspace, not the service, sent. The content stays: the workspace owns it. */
const isEventOfWorkspace = (item: Item): boolean => {
  if (!isEventKey(parseWorkspaceId(item), item)) return false;
  const content = unpackValue(item["content"], false);
  return isPlainObject(content) && !isReservedEventKey(String(content["eventKey"]));
};

/** Returns whether a value is an object whose field `userId` is one of the ids. */
const hasUserIdIn = (value: unknown, ids: ReadonlySet<string>): boolean =>
  isPlainObject(value) && ids.has(String(value["userId"]));

/** The data that identifies a person in a scan: ids, words such as names, and the email addresses of the person's accounts. */
export type SoughtTraces = Traces & { emails: ReadonlySet<string>; addresses: Set<string> };

/** Returns whether an item is deleted with the person. Also collects the person's addresses in `addresses`. */
const isDeletedWithPerson = (item: Item, { ids, addresses }: SoughtTraces): boolean => {
  const ws = parseWorkspaceId(item);
  const { pk, sk } = item;
  if (isAddressKey(item)) {
    const owners = Array.isArray(item["places"]) ? item["places"] : Object.values(item).filter(isPlainObject);
    if (owners.length > 0 && owners.every((owner) => hasUserIdIn(owner, ids))) addresses.add(pk);
    return addresses.has(pk);
  }
  if (isCalendarSecretKey(item)) return isPlainObject(item["owner"]) && ids.has(String(item["owner"]["id"]));
  if (pk === slackAccountsPk(ws) || pk === coversPk(ws)) return hasUserIdIn(item, ids);
  if (pk === devicesPk(ws)) return ids.has(sk);
  return [...ids].some((id) => pk === userPk(id) || sk === notificationRulesKey(ws, id).sk);
};

const invitesPerson = (item: Item, { emails }: SoughtTraces): boolean =>
  item.pk === invitationsPk(parseWorkspaceId(item)) && emails.has(normalizeEmail(String(item["email"])));

/** Returns the changed attributes of an item, without the person's data. */
const eraseAttributes = (item: Item, sought: SoughtTraces): Record<string, unknown> => {
  const isMessage = isMessageKey(parseWorkspaceId(item), item);
  const eraseWithinValue = (value: unknown): unknown => {
    const inside = unpackValue(value, isMessage);
    if (inside === undefined) return value;
    const left = erasePerson(inside, sought, (one) => one);
    if (left === inside) return value;
    return value instanceof Uint8Array ? deflate(left) : JSON.stringify(left);
  };
  const { content: _content, ...rest } = item;
  const left = erasePerson(isEventOfWorkspace(item) ? rest : item, sought, eraseWithinValue);
  if (!isPlainObject(left)) return {};
  return Object.fromEntries(Object.entries(left).filter(([name, value]) => item[name] !== value));
};

/** Writes changed attributes. Returns false if the attributes have changed since they were read. */
const rewriteAttributes = async (deps: TableDeps, item: Item, changed: Record<string, unknown>): Promise<boolean> => {
  const names = Object.keys(changed);
  const createNumberedPlaceholders = <Value>(prefix: string, value: (name: string) => Value) =>
    Object.fromEntries(names.map((name, at) => [`${prefix}${at}`, value(name)]));
  const { kind } = await updateItem(deps, { pk: item.pk, sk: item.sk }, v.unknown(), {
    update: `SET ${names.map((_, at) => `#n${at} = :new${at}`).join(", ")}`,
    condition: names.map((_, at) => `#n${at} = :old${at}`).join(" AND "),
    names: createNumberedPlaceholders("#n", (name) => name),
    values: {
      ...createNumberedPlaceholders(":new", (name) => changed[name]),
      ...createNumberedPlaceholders(":old", (name) => item[name]),
    },
  });
  return kind === "done";
};

/** `missed`: the number of items that changed during the scan and need another scan. */
export type EraseCounts = { read: number; deleted: number; rewritten: number; missed: number };

/** `count`: changes nothing. `texts`: keeps the person's own items, because later scans read addresses to search from them. */
export type EraseMode = "count" | "texts" | "all";

const isMembershipOfPerson = ({ pk, sk }: Item, { ids }: SoughtTraces): boolean =>
  [...ids].some((id) => {
    const key = memberKey(parseWorkspaceId({ pk }), id);
    return pk === key.pk && sk === key.sk;
  });

/** Erases or counts (`mode`) a person's data, except ids and the audit trail, in one scan. A new name requires another scan. */
export const eraseTraces = async (deps: AuditDeps, sought: SoughtTraces, mode: EraseMode): Promise<EraseCounts> => {
  const erased: EraseCounts = { read: 0, deleted: 0, rewritten: 0, missed: 0 };
  const removeItem = async (item: Item): Promise<void> => {
    if (mode === "texts") return;
    erased.deleted += 1;
    if (mode === "count") return;
    if (invitesPerson(item, sought)) await deleteInvitation(deps, parseWorkspaceId(item), item.sk);
    else await deleteItem(deps, { pk: item.pk, sk: item.sk });
  };
  await forEachPageOfTable(deps, async (items) => {
    for (const item of items) {
      erased.read += 1;
      if (item.pk === trailPk(parseWorkspaceId(item))) continue;
      if (invitesPerson(item, sought) || isDeletedWithPerson(item, sought)) {
        await removeItem(item);
        continue;
      }
      if (mode === "texts" && isMembershipOfPerson(item, sought)) continue;
      const attributes = eraseAttributes(item, sought);
      if (Object.keys(attributes).length === 0) continue;
      if (mode === "count" || (await rewriteAttributes(deps, item, attributes))) erased.rewritten += 1;
      else erased.missed += 1;
    }
  });
  return erased;
};

const unmarshalValue = (value: unknown): unknown => {
  if (value instanceof Uint8Array) {
    const inside = unpackValue(value, false);
    return inside === undefined ? Buffer.from(value).toString("base64") : inside;
  }
  return value;
};

/** Removes other recipients from an item. The states of the recipients are in a second list with the same order. */
const hideOtherRecipients = (item: Item, ids: ReadonlySet<string>): Item => {
  const { head, r: states } = item;
  if (!isPlainObject(head) || !Array.isArray(head["recipients"]) || !Array.isArray(states)) return item;
  const recipients: readonly unknown[] = head["recipients"];
  return { ...item, r: states.filter((_, at) => hasUserIdIn(recipients[at], ids)) };
};

/** Lists all data of a person in the table, item by item. Other people appear only by id. */
export const listTraces = async (deps: TableDeps, sought: SoughtTraces): Promise<Record<string, unknown>[]> => {
  const { ids } = sought;
  const found: Record<string, unknown>[] = [];
  await forEachPageOfTable(deps, async (items) => {
    for (const item of items) {
      const opened: Item = {
        ...item,
        ...Object.fromEntries(Object.entries(item).map(([name, one]) => [name, unmarshalValue(one)])),
      };
      const isKeyed = [...ids].some((id) => item.pk.includes(id) || item.sk.includes(id));
      if (isKeyed || invitesPerson(item, sought) || isDeletedWithPerson(item, sought) || containsId(opened, ids)) {
        const shown = hideOtherPeople(hideOtherRecipients(opened, ids), ids);
        if (isPlainObject(shown)) found.push(shown);
      }
    }
  });
  return found;
};
