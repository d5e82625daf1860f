import type { Fixture, SetupDeps, Way } from "./fixtures.ts";
import type { World } from "./engine/world.ts";
import type { Clients } from "./clients.ts";

/** Who must be told of an event: `rule|user` by the short names of the fixture. */
type Told = readonly string[];

export type Play = { world: World; clients: Clients; fixtures: readonly Fixture[] };

export type Scenario = {
  name: string;
  about: string;
  /** Builds what is there before the first event; once for all runs. */
  setup: (deps: SetupDeps) => Promise<readonly Fixture[]>;
  /** By which way its devices are reached; by FCM unless said otherwise. */
  way?: Way;
  /** What clients do, in virtual time. */
  play: (play: Play) => Promise<void>;
  /**
   * Whom an event must reach by its rules, one of several ways where the order of things decides. Undefined: nothing is
   * said of this event.
   */
  tells: (
    event: { ws: string; eventKey: string; title: string },
    fixtures: readonly Fixture[],
  ) => readonly Told[] | undefined;
  /** What else must hold at the end of every run. */
  check?: (play: Play) => Promise<string[]>;
  /** Which calls something is to happen to, by what they are like; to all unless said otherwise. */
  disturbs?: RegExp;
  /**
   * Of great size: its run is not told call by call, as many functions run at once as the stack allows, and a handful of
   * faults is enough.
   */
  great?: boolean;
  /** How long it may take in all, in virtual time; 45 unless it waits for timers. */
  minutes?: number;
  /** Whether its undisturbed run logs no error and is done within seconds; true unless said otherwise. */
  quiet?: boolean;
  /** Whether FCM leaves outcomes unclear without a fault, which may end a push; false unless said otherwise. */
  unclear?: boolean;
  /** Dead letters that are no failure. */
  poison?: (body: string) => boolean;
};
