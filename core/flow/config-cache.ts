import type { TimedDeps } from "../deps.ts";
import type { WorkspaceId } from "../domain/basics/ids.ts";
import { estimatePeopleBytes, type People } from "../domain/people/people.ts";
import { toRuleSet, type RuleSet } from "../domain/rules/rule-set.ts";
import { loadRuleSet } from "../store/rules/all-rules.ts";
import { loadPeople } from "../store/people/people.ts";
import { readControl } from "../store/events/control.ts";
import { readOwners } from "../store/people/read-members.ts";
import { MINUTE_MS } from "../domain/basics/units.ts";
import { putAndEvictOldest } from "../domain/basics/put-newest.ts";

type Cached<Value> = { version: number; checkedAt: number; loadedAt: number; value: Value };

/** How long a cached version is used without a check. A retried event names an old version, so only a check finds a newer one. */
const RECHECK_MS = MINUTE_MS;
/** How long a cached value is used: a request that changed the configuration may have died before it raised the version. */
const RELOAD_MS = 15 * MINUTE_MS;
const REMEMBERED_WORKSPACES = 1_000;
/** The maximum memory for the rules of all cached workspaces: a quarter of a worker's memory. */
const RULES_MAX_BYTES = 256 * 1024 * 1024;
const PEOPLE_MAX_BYTES = 128 * 1024 * 1024;

type Part<Value> = {
  versionOf: (control: { rulesVersion: number; peopleVersion: number }) => number;
  load: (ws: WorkspaceId) => Promise<Value>;
  estimateBytes: (value: Value) => number;
  maxBytes: number;
};

/** Evicts workspaces that use more than an equal share of `maxBytes`, until the cache uses at most `maxBytes`. */
const evictWorkspaces = <Value>(cache: Map<string, Cached<Value>>, { estimateBytes, maxBytes }: Part<Value>): void => {
  const held = new Map([...cache].map(([ws, { value }]) => [ws, estimateBytes(value)]));
  let sum = [...held.values()].reduce((all, bytes) => all + bytes, 0);
  for (const [ws, bytes] of held) {
    if (sum <= maxBytes) return;
    if (bytes <= maxBytes / held.size) continue;
    cache.delete(ws);
    sum -= bytes;
  }
};

/** Caches a part of each workspace's configuration. `current` returns at least `minVersion`; `newest`, the stored version. */
const createWorkspaceCache = <Value>(deps: TimedDeps, part: Part<Value>) => {
  const { versionOf, load } = part;
  const cache = new Map<string, Cached<Value>>();
  const loading = new Map<string, Promise<Cached<Value>>>();

  /** Reads the current version. Loads the value again only if the value's version changed, or after RELOAD_MS. */
  const refreshConfiguration = async (ws: WorkspaceId, last: Cached<Value> | undefined): Promise<Cached<Value>> => {
    const control = await readControl(deps, ws);
    // The version is read before the configuration's items, so the items are at least as new as the version.
    const version = control === undefined ? 0 : versionOf(control);
    const checkedAt = deps.now();
    const kept = last?.version === version && checkedAt - last.loadedAt < RELOAD_MS ? last : undefined;
    const cached = {
      version,
      checkedAt,
      loadedAt: kept?.loadedAt ?? checkedAt,
      value: kept === undefined ? await load(ws) : kept.value,
    };
    putAndEvictOldest(cache, ws, cached, REMEMBERED_WORKSPACES);
    evictWorkspaces(cache, part);
    return cached;
  };

  const readCurrent = async (ws: WorkspaceId, minVersion: number): Promise<{ version: number; value: Value }> => {
    const known = cache.get(ws);
    if (known !== undefined && known.version >= minVersion && deps.now() - known.checkedAt < RECHECK_MS) return known;
    // Events of a batch share one read; an event that needs a newer version reads again afterwards.
    const running = loading.get(ws);
    if (running !== undefined) {
      const shared = await running;
      return shared.version >= minVersion ? shared : readCurrent(ws, minVersion);
    }
    const own = refreshConfiguration(ws, known).finally(() => loading.delete(ws));
    loading.set(ws, own);
    return own;
  };
  return { current: readCurrent, newest: (ws: WorkspaceId) => refreshConfiguration(ws, cache.get(ws)) };
};

/** Creates the cache of each workspace's people. `people` returns at least a given version, `peopleNow` the stored version. */
export const createPeopleCache = (deps: TimedDeps) => {
  const people = createWorkspaceCache<People>(deps, {
    versionOf: (control) => control.peopleVersion,
    load: async (ws) => ({ ...(await loadPeople(deps, ws)), owners: await readOwners(deps, ws) }),
    estimateBytes: estimatePeopleBytes,
    maxBytes: PEOPLE_MAX_BYTES,
  });
  return {
    people: people.current,
    /** Always checks the version of the people, because the message of an escalation step contains no version. */
    peopleNow: people.newest,
  };
};
export type PeopleCache = ReturnType<typeof createPeopleCache>;

/** Creates the cache of each workspace's rules and people. `rulesNow` returns the stored version of the rules. */
export const createConfigCache = (deps: TimedDeps, rulesMaxBytes = RULES_MAX_BYTES) => {
  const rules = createWorkspaceCache<RuleSet>(deps, {
    versionOf: (control) => control.rulesVersion,
    load: async (ws) => {
      const { rules, silences, webhooks, connections } = await loadRuleSet(deps, ws);
      return toRuleSet(rules, silences, { webhooks, connections });
    },
    estimateBytes: (ruleSet) => ruleSet.estimateBytes(),
    maxBytes: rulesMaxBytes,
  });
  return {
    rules: rules.current,
    /** Always checks the version of the rules, because a silence may have ended after the event arrived. */
    rulesNow: rules.newest,
    ...createPeopleCache(deps),
  };
};
export type ConfigCache = ReturnType<typeof createConfigCache>;
