import type { Answers } from "../../app/types.ts";

type Device = Answers["Device"];

/** Returns whether a device is verified and has no known fault. */
const isReachable = ({ verified, stopped, failing, mustRenew }: Device): boolean =>
  verified && !stopped && failing === null && !mustRenew;

/** Returns whether no other device is reachable. */
export const isLastReachable = (devices: readonly Device[], deviceId: string): boolean =>
  !devices.some((other) => other.id !== deviceId && isReachable(other));
