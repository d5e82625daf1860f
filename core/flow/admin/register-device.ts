import type { Deps } from "../../deps.ts";
import { AGAIN, attempt } from "../../domain/basics/attempt.ts";
import type { WorkspaceId } from "../../domain/basics/ids.ts";
import { addressOf, addressText, type Device, type DeviceInput, type Registering } from "../../domain/device/device.ts";
import { sha256 } from "../../domain/basics/digest.ts";
import { isEndpoint, PUSH_SERVICES } from "../../domain/delivery/push/endpoint.ts";
import { invalid } from "../../domain/basics/refusal.ts";
import { requireRoom, saveDevice, takeAddressAway } from "../../store/people/devices.ts";
import { readTokenOwner, replaceTokenOwner, type TokenOwner } from "../../store/people/push-tokens.ts";

export type RegisterDeps = Pick<Deps, "table" | "now" | "newId" | "pushStandIn">;

type Membership = { userId: string; ws: WorkspaceId };

const TOKEN = "the owner of a push token";

/** Makes the user the owner of the address in this workspace. Memberships of former owners stay listed until cleared. */
const takeOwnership = (deps: RegisterDeps, tokenHash: string, membership: Membership): Promise<TokenOwner> =>
  attempt({ of: TOKEN }, async () => {
    const seen = await readTokenOwner(deps, tokenHash);
    const memberships = seen?.places ?? [];
    const listed = memberships.some(({ userId, ws }) => userId === membership.userId && ws === membership.ws);
    if (seen?.userId === membership.userId && listed) return seen;
    const next = { userId: membership.userId, places: listed ? memberships : [...memberships, membership] };
    const taken = await replaceTokenOwner(deps, tokenHash, seen, next);
    return taken ?? AGAIN;
  });

/** Anybody can send any URL as an endpoint, so only those of the known push services are accepted. */
const checkEndpoint = ({ pushStandIn }: Pick<Deps, "pushStandIn">, { subscription }: DeviceInput): void => {
  if (subscription === undefined || isEndpoint(subscription.endpoint, pushStandIn)) return;
  const field = "subscription.endpoint";
  throw invalid([{ field, code: "unknown_value", message: `${field} must be one of ${PUSH_SERVICES}, over https.` }]);
};

/**
 * Registers a device of the user: `created`, or `renewed` if the user already has this address here. The address is
 * first removed from any other user, in every workspace, who is notified by `tellLoss`. If two users register it at
 * once, one of them gets it.
 */
export const registerDevice = async (
  deps: RegisterDeps,
  ws: WorkspaceId,
  userId: string,
  input: Registering,
  notifyLoss: (membership: Membership, device: Device) => Promise<unknown> = async () => {},
): Promise<{ kind: "created" | "renewed"; device: Device }> => {
  checkEndpoint(deps, input);
  const address = addressText(addressOf(input));
  const hash = Buffer.from(await sha256(address)).toString("hex");
  return attempt({ of: TOKEN }, async () => {
    const owner = await takeOwnership(deps, hash, { userId, ws });
    const former = owner.places.filter((membership) => membership.userId !== userId);
    // A user with too many devices must not take it from anybody.
    if (former.length > 0) await requireRoom(deps, ws, userId, address);
    // Compares the version, not the user: a user who lost the device and got it back has other former owners to
    // clear.
    const isOwner = async () => (await readTokenOwner(deps, hash))?.version === owner.version;
    const take = (membership: Membership) =>
      takeAddressAway(deps, membership.ws, membership.userId, address, isOwner, (device) =>
        notifyLoss(membership, device),
      );
    // Removed before it is saved, so that no two people have it, whatever fails in between.
    for (const membership of former) await take(membership);
    const { isStored, ...saved } = await saveDevice(deps, ws, userId, input, isOwner);
    // If this is refused, another user has taken the address meanwhile and clears the rest.
    const places = owner.places.filter((membership) => membership.userId === userId);
    if (isStored && former.length > 0) await replaceTokenOwner(deps, hash, owner, { userId, places });
    if (isStored) return saved;
    const now = await readTokenOwner(deps, hash);
    // Nobody: the device was deleted meanwhile, and its address forgotten.
    return now !== undefined && now.userId !== userId ? saved : AGAIN;
  });
};
