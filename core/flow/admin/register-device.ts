import type { Deps } from "../../deps.ts";
import { addressOf, addressText, type Device, type DeviceInput } from "../../domain/people/device.ts";
import { sha256 } from "../../domain/basics/digest.ts";
import { isEndpoint, PUSH_SERVICES } from "../../domain/delivery/push/endpoint.ts";
import { invalid } from "../../domain/basics/refusal.ts";
import { requireRoom, saveDevice, takeAddressAway } from "../../store/devices.ts";
import { readTokenOwner, replaceTokenOwner, type TokenOwner } from "../../store/push-tokens.ts";

export type RegisterDeps = Pick<Deps, "table" | "now" | "newId" | "pushStandIn">;

const TRIES = 10;

const changedTooOften = (): Error => new Error(`a push token changed its owner under ${TRIES} tries to take it`);

/** Makes the user the owner of the address here. What a former owner has of it stays on the list until it is cleared. */
const takeOwnership = async (
  deps: RegisterDeps,
  tokenHash: string,
  place: { userId: string; ws: string },
): Promise<TokenOwner> => {
  for (let round = 0; round < TRIES; round += 1) {
    const seen = await readTokenOwner(deps, tokenHash);
    const places = seen?.places ?? [];
    const listed = places.some(({ userId, ws }) => userId === place.userId && ws === place.ws);
    if (seen?.userId === place.userId && listed) return seen;
    const next = { userId: place.userId, places: listed ? places : [...places, place] };
    const taken = await replaceTokenOwner(deps, tokenHash, seen, next);
    if (taken !== undefined) return taken;
  }
  throw changedTooOften();
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
  for (let round = 0; round < TRIES; round += 1) {
    const owner = await takeOwnership(deps, hash, { userId, ws });
    const former = owner.places.filter((place) => place.userId !== userId);
    // Who has no room for the phone takes it from nobody.
    if (former.length > 0) await requireRoom(deps, ws, userId, address);
    // Its version, not its user: who lost the phone and has it again has other former owners to clear.
    const isOwner = async () => (await readTokenOwner(deps, hash))?.version === owner.version;
    // Taken away before it is saved: whatever fails in between, no two people have it.
    for (const place of former) await takeAddressAway(deps, place.ws, place.userId, address, isOwner);
    const { isStored, ...saved } = await saveDevice(deps, ws, userId, input, isOwner);
    // Where this is refused, somebody else has taken the address meanwhile and clears the rest.
    const places = owner.places.filter((place) => place.userId === userId);
    if (isStored && former.length > 0) await replaceTokenOwner(deps, hash, owner, { userId, places });
    if (isStored || (await readTokenOwner(deps, hash))?.userId !== userId) return saved;
  }
  throw changedTooOften();
};
