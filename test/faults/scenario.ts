import type { WorkspaceId } from "../../core/domain/basics/ids.ts";
import type { Fixture, SetupDeps, PagedBy } from "./fixtures.ts";
import type { World } from "./engine/world.ts";
import type { Clients } from "./clients.ts";

/** The people whom an event must notify: `rule|user` by the short names of the fixture. */
type Notified = readonly string[];

/** The time by which a step may come too early, because clocks also jump by 8 s. */
export const EARLY_MS = 20_000;

export type Play = { world: World; clients: Clients; fixtures: readonly Fixture[] };

export type Scenario = {
  name: string;
  about: string;
  /** Builds the state before the first event, once for all runs. */
  setup: (deps: SetupDeps) => Promise<readonly Fixture[]>;
  /** How the devices of the scenario are reached; by default by FCM. */
  way?: PagedBy;
  /** Performs the actions of clients, in virtual time. */
  play: (play: Play) => Promise<void>;
  /**
   * The people whom an event must notify by its rules; several alternatives if the order of calls decides. Undefined: the
   * event is not checked.
   */
  tells: (
    event: { ws: WorkspaceId; eventKey: string; title: string },
    fixtures: readonly Fixture[],
  ) => readonly Notified[] | undefined;
  /** Further conditions at the end of every run. */
  check?: (play: Play) => Promise<string[]>;
  /** The likeness of the calls that get faults; all calls by default. */
  disturbs?: RegExp;
  /**
   * A large scenario: its calls are not recorded, as many functions run concurrently as the stack allows, and it gets only a
   * few faults.
   */
  great?: boolean;
  /** The number of concurrent invocations that the account allows. */
  account?: number;
  /** The scenario's longest total time in virtual minutes; 45 unless it waits for timers. */
  minutes?: number;
  /** The title of a post whose invocation the scenario itself ends, so that it is answered 502. */
  dies?: string;
  /** Whether a run without faults logs no error and finishes within seconds; true by default. */
  quiet?: boolean;
  /** Whether FCM leaves outcomes unclear even without a fault, which may end a push; false by default. */
  unclear?: boolean;
  /** Whether a dead letter is no failure. */
  poison?: (body: string) => boolean;
};
