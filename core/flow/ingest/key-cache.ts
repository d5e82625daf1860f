import type { Deps, TableDeps } from "../../deps.ts";
import type { WorkspaceId } from "../../domain/basics/ids.ts";
import { refuseApiKey, maySend, refuseEventKey } from "../../domain/workspace/api-key.ts";
import type { Control } from "../../domain/workspace/control.ts";
import type { EventContent } from "../../domain/event/event.ts";
import type { Refusal } from "../../domain/basics/refusal.ts";
import { setKeyUsed, readSenderOfKey, type KeyedSender } from "../../store/people/api-keys.ts";
import { readControl, readControlForKey } from "../../store/events/control.ts";
import { DAY_MS } from "../../domain/basics/units.ts";
import { putAndEvictOldest } from "../../domain/basics/put-newest.ts";

const REMEMBERED_WORKSPACES = 10_000;

/** The cached data: the control item, and the senders of valid API keys by key hash. A key's name and scope never change. */
export type KeyMemory = Map<string, { control: Control; senders: Map<string, KeyedSender> }>;

type KeyRequest = {
  deps: TableDeps;
  memory: KeyMemory;
  call: { workspaceId: WorkspaceId; hash: Uint8Array | undefined; event: Pick<EventContent, "eventKey"> };
};

export type KeyInfo = { control: Control; sender: KeyedSender | undefined };

const toHex = (hash: Uint8Array): string => Buffer.from(hash).toString("hex");

export const rememberApiKey = ({ memory, call }: KeyRequest, { control, sender }: KeyInfo): void => {
  const { workspaceId, hash } = call;
  const senders = memory.get(workspaceId)?.senders ?? new Map();
  if (hash !== undefined && sender !== undefined) senders.set(toHex(hash), sender);
  putAndEvictOldest(memory, workspaceId, { control, senders }, REMEMBERED_WORKSPACES);
};

const recallSender = ({ memory, call: { workspaceId, hash } }: KeyRequest): KeyedSender | undefined =>
  hash === undefined ? undefined : memory.get(workspaceId)?.senders.get(toHex(hash));

/** Returns the API key's sender from the cache, or else from the table; undefined if there is none. */
const recallOrReadSender = async (context: KeyRequest): Promise<KeyedSender | undefined> => {
  const { deps, call } = context;
  if (call.hash === undefined) return undefined;
  return recallSender(context) ?? (await readSenderOfKey(deps, call.workspaceId, call.hash));
};

/** Checks by a consistent read that the API key is valid and may send the event. Returns a refusal if not. */
export const verifyApiKey = async (context: KeyRequest): Promise<KeyInfo | Refusal> => {
  const { deps, call } = context;
  const { workspaceId, hash } = call;
  const [control, sender] = await Promise.all([
    hash === undefined ? readControl(deps, workspaceId) : readControlForKey(deps, workspaceId, hash),
    recallOrReadSender(context),
  ]);
  if (control === undefined) return refuseApiKey();
  const proven = { control, sender };
  rememberApiKey(context, proven);
  if (sender !== undefined && !maySend(sender.scope, call.event.eventKey))
    return refuseEventKey(sender.scope, call.event.eventKey);
  return proven;
};

/** Returns the cached state if this API key was valid when last checked, and may send the event. */
export const recallApiKey = (context: KeyRequest): KeyInfo | undefined => {
  const { memory, call } = context;
  const control = memory.get(call.workspaceId)?.control;
  const sender = recallSender(context);
  if (control === undefined || sender === undefined || !maySend(sender.scope, call.event.eventKey)) return undefined;
  return { control, sender };
};

/** Records that the sender's API key is in use, at most daily per instance. If the write fails, the next event repeats it. */
export const recordKeyUse = async (
  { deps, call }: KeyRequest & { deps: Pick<Deps, "now" | "log"> },
  keyed: KeyedSender | undefined,
): Promise<void> => {
  const at = deps.now();
  if (keyed === undefined || Math.floor(keyed.used / DAY_MS) >= Math.floor(at / DAY_MS)) return;
  const before = keyed.used;
  keyed.used = at;
  try {
    await setKeyUsed(deps, call.workspaceId, keyed.sender.id, { at, before });
  } catch (error) {
    keyed.used = before;
    deps.log.error("key.use_not_stored", error, { workspaceId: call.workspaceId, keyId: keyed.sender.id });
  }
};
