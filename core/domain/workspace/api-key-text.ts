import { crc32 } from "node:zlib";
import { createSecret, sha256 } from "../basics/digest.ts";
import { encodeBase32, type NewId, type WorkspaceId } from "../basics/ids.ts";
import { isSource, type SourceName } from "../basics/source-name.ts";

const CHECK_WIDTH = 7;
/** The parts of an API key. An expiry begins with a digit, so that it differs from every source name. */
const SHAPE =
  /^eak_(?<workspace>[0-9A-Za-z]{1,64})(?:_(?<source>[a-z-]+))?(?:_0(?<until>[0-9a-z]{1,8}))?_[0-9A-Za-z_-]{43}_(?<check>[0-9a-z]{7})$/;

const computeChecksum = (text: string): string => encodeBase32(crc32(text), CHECK_WIDTH);

/** An API key with the facts that its text contains. `until`: the expiry, in milliseconds. */
export type ApiKeyText = { workspaceId: WorkspaceId; text: string; source?: SourceName; until?: number };

/** Parses the text of an API key. Returns undefined if the text is not shaped like a key or has a wrong checksum. */
export const parseApiKey = (text: string): ApiKeyText | undefined => {
  const { workspace, source, until, check } = SHAPE.exec(text)?.groups ?? {};
  if (workspace === undefined || check !== computeChecksum(text.slice(0, -CHECK_WIDTH - 1))) return undefined;
  const key: ApiKeyText = {
    workspaceId: `ws_${workspace}`,
    text,
    ...(until === undefined ? {} : { until: Number.parseInt(until, 36) * 1000 }),
  };
  if (source === undefined) return key;
  return isSource(source) ? { ...key, source } : undefined;
};

const HASH_BYTES = 16;

/** Returns the hash by which a key is stored. The hash covers all of the text: nobody can extend a key's scope or lifetime. */
export const hashApiKey = async (text: string): Promise<Uint8Array> => (await sha256(text)).slice(0, HASH_BYTES);

/** Returns a new key. `source`: the only tool that may use the key. `until`: the key's expiry (ms), in whole seconds. */
export const createApiKeyText = async (
  newId: NewId,
  workspaceId: WorkspaceId,
  { source, until }: { source?: SourceName | undefined; until?: number | undefined } = {},
): Promise<string> => {
  const secret = await createSecret(newId);
  const names = [
    workspaceId.slice("ws_".length),
    ...(source === undefined ? [] : [source]),
    ...(until === undefined ? [] : [`0${Math.floor(until / 1000).toString(36)}`]),
  ];
  const head = `eak_${names.join("_")}_${secret}`;
  return `${head}_${computeChecksum(head)}`;
};
