import type { Deps } from "../deps.ts";
import type { People } from "../domain/people/people.ts";
import { toRuleSet, type RuleSet } from "../domain/rules/rule-set.ts";
import { loadMatching, loadPeople } from "../store/config.ts";
import { readControl } from "../store/control.ts";

type ConfigDeps = Pick<Deps, "table" | "now">;

type Cached<Value> = { version: number; checkedAt: number; loadedAt: number; value: Value };

/** A version is compared again after this time: work that is retried may ask long after its event came. */
const RECHECK_MS = 60_000;
/** Everything is loaded again after this time, to catch a change whose writer died before it raised the version. */
const RELOAD_MS = 15 * 60_000;
const REMEMBERED_WORKSPACES = 1_000;

/**
 * One part of a workspace's configuration, kept in memory. It is at least as new as the version asked for, which each
 * event carries, so nothing is read while nothing changes.
 */
const createCache = <Value>(
  deps: ConfigDeps,
  versionOf: (control: { rulesVersion: number; peopleVersion: number }) => number,
  load: (ws: string) => Promise<Value>,
) => {
  const cache = new Map<string, Cached<Value>>();
  const loading = new Map<string, Promise<Cached<Value>>>();

  const refresh = async (ws: string, known: Cached<Value> | undefined): Promise<Cached<Value>> => {
    const control = await readControl(deps, ws);
    // The version is read before the items, so the items are at least as new.
    const version = control === undefined ? 0 : versionOf(control);
    const checkedAt = deps.now();
    const kept = known?.version === version && checkedAt - known.loadedAt < RELOAD_MS ? known : undefined;
    const cached = {
      version,
      checkedAt,
      loadedAt: kept?.loadedAt ?? checkedAt,
      value: kept === undefined ? await load(ws) : kept.value,
    };
    cache.delete(ws);
    cache.set(ws, cached);
    const [oldest] = cache.keys();
    if (cache.size > REMEMBERED_WORKSPACES && oldest !== undefined) cache.delete(oldest);
    return cached;
  };

  const current = async (ws: string, atLeast: number): Promise<{ version: number; value: Value }> => {
    const known = cache.get(ws);
    if (known !== undefined && known.version >= atLeast && deps.now() - known.checkedAt < RECHECK_MS) return known;
    // The events of a batch share one read, which may have begun before the version that this event carries.
    const running = loading.get(ws);
    if (running !== undefined) {
      const shared = await running;
      return shared.version >= atLeast ? shared : current(ws, atLeast);
    }
    const own = refresh(ws, known).finally(() => loading.delete(ws));
    loading.set(ws, own);
    return own;
  };
  return { current, newest: (ws: string) => refresh(ws, cache.get(ws)) };
};

/** The people of workspaces, kept by a worker between invocations. */
export const createPeopleCache = (deps: ConfigDeps) => {
  const people = createCache<People>(
    deps,
    (control) => control.peopleVersion,
    (ws) => loadPeople(deps, ws),
  );
  return {
    people: people.current,
    /** Includes every change that was answered by now, for one more read: a late step's message carries no version. */
    peopleNow: people.newest,
  };
};
export type PeopleCache = ReturnType<typeof createPeopleCache>;

/** The configuration of workspaces, kept by a worker between invocations. */
export const createConfigCache = (deps: ConfigDeps) => {
  const rules = createCache<RuleSet>(
    deps,
    (control) => control.rulesVersion,
    async (ws) => {
      const { rules, silences } = await loadMatching(deps, ws);
      return toRuleSet(rules, silences);
    },
  );
  return {
    rules: rules.current,
    ...createPeopleCache(deps),
  };
};
export type ConfigCache = ReturnType<typeof createConfigCache>;
