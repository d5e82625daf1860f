import type { TimedDeps } from "../../deps.ts";
import type { WorkspaceId } from "../../domain/basics/ids.ts";
import { toIso } from "../../domain/basics/time.ts";
import { AUDIT_MS } from "../../domain/workspace/audit.ts";
import { computeDigest, listEntries, readTrailHead } from "../../store/configuration/audit-trail.ts";

/** `digest`: the newest digest, which an auditor can keep elsewhere. */
export type VerifiedTrail = { entries: number; from: string | null; digest: string; faults: string[] };

const ENTRIES_AT_ONCE = 500;

/** Checks that each audit entry within retention matches its digest, here and in the next entry, and that no entry is missing. */
export const verifyTrail = async (deps: TimedDeps, ws: WorkspaceId): Promise<VerifiedTrail> => {
  const head = await readTrailHead(deps, ws);
  const from = deps.now() - AUDIT_MS;
  const faults: string[] = [];
  let [entries, oldest] = [0, head.at];
  let expected = head;
  for (let position = { at: head.at, seq: head.seq + 1 }; position.at >= from && expected.seq > 0;) {
    const page = await listEntries(deps, ws, { from, to: position.at, below: position.seq, limit: ENTRIES_AT_ONCE });
    for (const entry of page) {
      const { seq, at, previous, digest } = entry;
      if (seq !== expected.seq) faults.push(`The entries ${seq + 1} to ${expected.seq} are missing.`);
      else if (digest !== expected.digest) faults.push(`Entry ${seq} does not match its digest in the next entry.`);
      if ((await computeDigest(entry)) !== digest)
        faults.push(`Entry ${seq} was changed: its content does not match its digest.`);
      expected = { seq: seq - 1, ...previous };
      position = { at, seq };
      [entries, oldest] = [entries + 1, at];
    }
    if (page.length < ENTRIES_AT_ONCE) break;
  }
  if (expected.seq > 0 && expected.at >= from) faults.push(`The entries 1 to ${expected.seq} are missing.`);
  return { entries, from: entries === 0 ? null : toIso(oldest), digest: head.digest, faults };
};
