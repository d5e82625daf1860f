import type { Answers } from "../../app/types.ts";

type Device = Answers["Device"];

/** Returns whether alerts reach the reader on this device, as far as the service knows. */
const isReachable = ({ verified, stopped, failing, mustRenew }: Device): boolean =>
  verified && !stopped && failing === null && !mustRenew;

/** Returns whether alerts reach the reader on none of the other devices. */
export const isLastReachable = (devices: readonly Device[], id: string): boolean =>
  !devices.some((other) => other.id !== id && isReachable(other));
