import type { Answers } from "../../app/types.ts";

type Device = Answers["Device"];

/** False only if a fault is known. */
const isReachable = ({ verified, stopped, failing, mustRenew }: Device): boolean =>
  verified && !stopped && failing === null && !mustRenew;

export const isLastReachable = (devices: readonly Device[], id: string): boolean =>
  !devices.some((other) => other.id !== id && isReachable(other));
