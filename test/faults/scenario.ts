import type { WorkspaceId } from "../../core/domain/basics/ids.ts";
import type { Fixture, SetupDeps, TestChannel } from "./fixtures.ts";
import type { World } from "./engine/world.ts";
import type { Clients } from "./clients.ts";

/** The notified people, as `rule|user` by the short names of the fixture. */
type Notified = readonly string[];

/** An escalation step may be early by up to this time, because clocks jump by 8 s. */
export const EARLY_MS = 20_000;

export type Play = { world: World; clients: Clients; fixtures: readonly Fixture[] };

export type Scenario = {
  name: string;
  about: string;
  /** Builds the state before the first event, once for all runs. */
  setup: (deps: SetupDeps) => Promise<readonly Fixture[]>;
  /** How devices are reached. Default: FCM. */
  channel?: TestChannel;
  play: (play: Play) => Promise<void>;
  /**
   * The people who must be notified: several alternatives if the order of calls decides, or undefined if the event is not
   * checked.
   */
  expectNotified: (
    event: { ws: WorkspaceId; eventKey: string; title: string },
    fixtures: readonly Fixture[],
  ) => readonly Notified[] | undefined;
  /** Returns the faults that are found at the end of a run. */
  check?: (play: Play) => Promise<string[]>;
  /** The calls that get faults; all calls by default. */
  faultyCalls?: RegExp;
  /** Calls are not recorded, as many functions run concurrently as the stack allows, and only a few faults are tried. */
  large?: boolean;
  accountConcurrency?: number;
  /** The longest duration of a run, in minutes; 45 by default. */
  minutes?: number;
  /** The title of a post that is answered 502, because the scenario itself kills its invocation. */
  titleOfKilledPost?: string;
  /** Whether a run without faults logs no error and finishes within seconds; true by default. */
  expectsNoErrors?: boolean;
  /** Whether FCM leaves outcomes unclear even without a fault; false by default. */
  hasUnknownOutcomes?: boolean;
  /** Whether a dead letter with this body is expected. */
  isExpectedDeadLetter?: (body: string) => boolean;
};
