import type { Deps } from "../../deps.ts";
import { AGAIN, retryChange } from "../../domain/basics/attempt.ts";
import type { WorkspaceId } from "../../domain/basics/ids.ts";
import { toAddress, toAddressId, type Device, type DeviceInput, type NewDevice } from "../../domain/device/device.ts";
import { sha256 } from "../../domain/basics/digest.ts";
import { isAllowedEndpoint, PUSH_SERVICES } from "../../domain/delivery/push/endpoint.ts";
import { refuseField } from "../../domain/basics/refusal.ts";
import { requireSlot, saveDevice, removeTakenAddress } from "../../store/people/devices.ts";
import { readTokenOwner, replaceTokenOwner, type TokenOwner } from "../../store/people/push-tokens.ts";

export type RegisterDeps = Pick<Deps, "table" | "now" | "newId" | "pushStandIn">;

type Membership = { userId: string; ws: WorkspaceId };

const TOKEN = "the owner of a push token";

/** Stores the member as an address's owner. Returns the item, whose memberships (`places`) include those of former owners. */
const claimAddress = (deps: RegisterDeps, addressHash: string, membership: Membership): Promise<TokenOwner> =>
  retryChange({ item: TOKEN }, async () => {
    const seen = await readTokenOwner(deps, addressHash);
    const memberships = seen?.places ?? [];
    const listed = memberships.some(({ userId, ws }) => userId === membership.userId && ws === membership.ws);
    if (seen?.userId === membership.userId && listed) return seen;
    const next = { userId: membership.userId, places: listed ? memberships : [...memberships, membership] };
    return (await replaceTokenOwner(deps, addressHash, seen, next)) ?? AGAIN;
  });

const requireAllowedEndpoint = ({ pushStandIn }: Pick<Deps, "pushStandIn">, { subscription }: DeviceInput): void => {
  if (subscription === undefined || isAllowedEndpoint(subscription.endpoint, pushStandIn)) return;
  const field = "subscription.endpoint";
  throw refuseField(field, "unknown_value", `${field} must be one of ${PUSH_SERVICES}, over https.`);
};

/**
 * Stores a device. Returns `renewed` if the user already has the address in this workspace. First removes the address from any
 * other user in every workspace, and calls `notifyLoss` for the other user. Of two concurrent users, only one gets the address.
 */
export const registerDevice = async (
  deps: RegisterDeps,
  ws: WorkspaceId,
  userId: string,
  input: NewDevice,
  notifyLoss: (membership: Membership, device: Device) => Promise<unknown> = async () => {},
): Promise<{ kind: "created" | "renewed"; device: Device }> => {
  requireAllowedEndpoint(deps, input);
  const address = toAddressId(toAddress(input));
  const hash = Buffer.from(await sha256(address)).toString("hex");
  return retryChange({ item: TOKEN }, async () => {
    const owner = await claimAddress(deps, hash, { userId, ws });
    const former = owner.places.filter((membership) => membership.userId !== userId);
    // A user who has too many devices must not take the address from another user.
    if (former.length > 0) await requireSlot(deps, ws, userId, address);
    // Versions are compared: if another user took the address and lost it again, only the newer request removes former owners.
    const isOwner = async () => (await readTokenOwner(deps, hash))?.version === owner.version;
    const removeFromFormerOwner = (membership: Membership) =>
      removeTakenAddress(deps, membership.ws, membership.userId, address, isOwner, (device) =>
        notifyLoss(membership, device),
      );
    // Former owners lose the address before the new device is saved, so that no two people have the address.
    for (const membership of former) await removeFromFormerOwner(membership);
    const { isStored, ...saved } = await saveDevice(deps, ws, userId, input, isOwner);
    // The stored owner stays if another user has taken the address, because the other user's request removes the former owners.
    const places = owner.places.filter((membership) => membership.userId === userId);
    if (isStored && former.length > 0) await replaceTokenOwner(deps, hash, owner, { userId, places });
    if (isStored) return saved;
    const now = await readTokenOwner(deps, hash);
    // If the device was deleted during the registration, the address has no owner, and AGAIN repeats the registration.
    return now !== undefined && now.userId !== userId ? saved : AGAIN;
  });
};
