import type { Deps } from "../core/deps.ts";
import { toSilenceView } from "../core/domain/rules/silence.ts";
import { withAuthor, withAuthors } from "../core/flow/read/authors.ts";
import { wouldHaveCovered } from "../core/flow/read/would-have-covered.ts";
import { liveDeps } from "../core/live.ts";
import { readSilence } from "../core/store/rules/silences.ts";
import * as silences from "../core/store/rules/silences.ts";
import { tagged } from "./http/conditional.ts";
import { created, ok } from "./http/endpoint.ts";
import { deleted, found } from "./http/found.ts";
import { listed } from "./http/pages.ts";
import { readActive } from "./http/query.ts";
import * as contract from "../interface/contracts/silences.ts";
import { serve } from "./http/serve.ts";

export const reads = (deps: Pick<Deps, "table" | "now" | "log"> = liveDeps()) =>
  serve(deps, contract.reads, {
    listSilences: async (request) => {
      const wanted = readActive(request);
      const all = await silences.listSilences(deps, request.workspaceId);
      const views = all.map((silence) => toSilenceView(silence, deps.now()));
      const shown = wanted === undefined ? views : views.filter(({ active }) => active === wanted);
      return listed(request, await withAuthors(deps, request.workspaceId, shown), ({ id }) => id);
    },
    getSilence: async ({ workspaceId, silenceId }) => {
      const silence = found(await readSilence(deps, workspaceId, silenceId), "sil");
      return tagged(ok(await withAuthor(deps, workspaceId, toSilenceView(silence, deps.now()))), silence);
    },
  });

export const writes = (deps: Pick<Deps, "table" | "now" | "newId" | "log"> = liveDeps()) =>
  serve(deps, contract.writes, {
    createSilence: async ({ as, workspaceId, body: input }) => {
      const covered = await wouldHaveCovered(deps, workspaceId, input);
      const silence = await silences.createSilence(as, workspaceId, input);
      const shown = { ...toSilenceView(silence, deps.now()), wouldHaveCovered: covered };
      return tagged(created(await withAuthor(deps, workspaceId, shown)), silence);
    },
    updateSilence: async ({ as, workspaceId, silenceId, change, expected }) => {
      const before = found(await silences.readSilence(deps, workspaceId, silenceId), "sil");
      const patch = change(before, {
        derived: ["active", "until", "wouldHaveCovered"],
      });
      const covered = await wouldHaveCovered(deps, workspaceId, { ...before, ...patch });
      const silence = found(await silences.updateSilence(as, workspaceId, silenceId, patch, expected), "sil");
      const shown = { ...toSilenceView(silence, deps.now()), wouldHaveCovered: covered };
      return tagged(ok(await withAuthor(deps, workspaceId, shown)), silence);
    },
    deleteSilence: async ({ as, workspaceId, silenceId, expected }) =>
      deleted(await silences.deleteSilence(as, workspaceId, silenceId, expected), "sil"),
  });
