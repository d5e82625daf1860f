import type { Deps } from "../deps.ts";
import { addressOf, addressText, type Device, type DeviceInput } from "../domain/people/device.ts";
import { sha256 } from "../domain/basics/digest.ts";
import { isEndpoint, PUSH_SERVICES } from "../domain/delivery/push/endpoint.ts";
import { invalid } from "../domain/basics/refusal.ts";
import { dropAddress, saveDevice } from "../store/devices.ts";
import { readTokenOwner, replaceTokenOwner, type TokenOwner } from "../store/push-tokens.ts";

export type RegisterDeps = Pick<Deps, "table" | "now" | "newId" | "pushStandIn">;

const TRIES = 10;

/** Makes the user the owner of the address here. What a former owner has of it stays on the list until it is cleared. */
const takeOwnership = async (
  deps: RegisterDeps,
  tokenHash: string,
  place: { userId: string; ws: string },
): Promise<void> => {
  for (let round = 0; round < TRIES; round += 1) {
    const seen = await readTokenOwner(deps, tokenHash);
    const places = seen?.places ?? [];
    const listed = places.some(({ userId, ws }) => userId === place.userId && ws === place.ws);
    if (seen?.userId === place.userId && listed) return;
    const next = { userId: place.userId, places: listed ? places : [...places, place] };
    if (await replaceTokenOwner(deps, tokenHash, seen, next)) return;
  }
  throw new Error(`a push token changed its owner under ${TRIES} tries to take it`);
};

/** Takes the address from everybody but its owner, then forgets where they had it. */
const clearFormerOwners = async (
  deps: RegisterDeps,
  tokenHash: string,
  address: string,
): Promise<TokenOwner | undefined> => {
  const owner = await readTokenOwner(deps, tokenHash);
  const former = owner?.places.filter(({ userId }) => userId !== owner.userId) ?? [];
  if (owner === undefined || former.length === 0) return owner;
  for (const { userId, ws } of former) await dropAddress(deps, ws, userId, address);
  const { userId } = owner;
  // Where this fails, somebody else has taken the token meanwhile and clears the rest.
  await replaceTokenOwner(deps, tokenHash, owner, {
    userId,
    places: owner.places.filter((place) => place.userId === userId),
  });
  return owner;
};

/** Endpoints are URLs that anybody can send: only those of the known push services are ever called. */
const checkEndpoint = ({ pushStandIn }: Pick<Deps, "pushStandIn">, { subscription }: DeviceInput): void => {
  if (subscription === undefined || isEndpoint(subscription.endpoint, pushStandIn)) return;
  const field = "subscription.endpoint";
  throw invalid([{ field, code: "unknown_value", message: `${field} must be one of ${PUSH_SERVICES}, over https.` }]);
};

/**
 * Registers a device of the user: `created`, or `renewed` when the user has this address here already. The address is
 * taken from any other user first, in every workspace; of two who register it at once, one has it in the end.
 */
export const registerDevice = async (
  deps: RegisterDeps,
  ws: string,
  userId: string,
  input: DeviceInput,
): Promise<{ kind: "created" | "renewed"; device: Device }> => {
  checkEndpoint(deps, input);
  const address = addressText(addressOf(input));
  const hash = Buffer.from(await sha256(address)).toString("hex");
  await takeOwnership(deps, hash, { userId, ws });
  const saved = await saveDevice(deps, ws, userId, input);
  // Cleared after it was saved: whoever took the address meanwhile is seen here, or sees our device.
  const owner = await clearFormerOwners(deps, hash, address);
  if (owner !== undefined && owner.userId !== userId) await dropAddress(deps, ws, userId, address);
  return saved;
};
