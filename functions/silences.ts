import type { Deps } from "../core/deps.ts";
import { toSilenceView } from "../core/domain/rules/silence.ts";
import { addAuthor, addAuthors } from "../core/flow/read/authors.ts";
import { countWouldBeSilenced } from "../core/flow/read/count-would-be-silenced.ts";
import { liveDeps } from "../core/live.ts";
import { readSilence } from "../core/store/rules/silences.ts";
import * as silences from "../core/store/rules/silences.ts";
import { addEtag } from "./http/conditional.ts";
import { replyCreated, replyOk } from "./http/endpoint.ts";
import { replyDeleted, requireFound } from "./http/require-found.ts";
import { replyList } from "./http/pages.ts";
import { readActiveFilter } from "./http/query.ts";
import * as contract from "../interface/contracts/silences.ts";
import { serve } from "./http/serve.ts";

/** Creates the handler of the requests that read silences. */
export const reads = (deps: Pick<Deps, "table" | "now" | "log"> = liveDeps()) =>
  serve(deps, contract.reads, {
    listSilences: async (request) => {
      const wanted = readActiveFilter(request);
      const all = await silences.listSilences(deps, request.workspaceId);
      const views = all.map((silence) => toSilenceView(silence, deps.now()));
      const shown = wanted === undefined ? views : views.filter(({ active }) => active === wanted);
      return replyList(request, await addAuthors(deps, request.workspaceId, shown), ({ id }) => id);
    },
    getSilence: async ({ workspaceId, silenceId }) => {
      const silence = requireFound(await readSilence(deps, workspaceId, silenceId), "sil");
      return addEtag(replyOk(await addAuthor(deps, workspaceId, toSilenceView(silence, deps.now()))), silence);
    },
  });

/** Creates the handler of the requests that change silences. */
export const writes = (deps: Pick<Deps, "table" | "now" | "newId" | "log"> = liveDeps()) =>
  serve(deps, contract.writes, {
    createSilence: async ({ as, workspaceId, body: input }) => {
      const covered = await countWouldBeSilenced(deps, workspaceId, input);
      const silence = await silences.createSilence(as, workspaceId, input);
      const shown = { ...toSilenceView(silence, deps.now()), wouldHaveCovered: covered };
      return addEtag(replyCreated(await addAuthor(deps, workspaceId, shown)), silence);
    },
    updateSilence: async ({ as, workspaceId, silenceId, change, expected }) => {
      const before = requireFound(await silences.readSilence(deps, workspaceId, silenceId), "sil");
      const patch = change(before, { derived: ["active", "until", "wouldHaveCovered"] });
      const covered = await countWouldBeSilenced(deps, workspaceId, { ...before, ...patch });
      const silence = requireFound(await silences.updateSilence(as, workspaceId, silenceId, patch, expected), "sil");
      const shown = { ...toSilenceView(silence, deps.now()), wouldHaveCovered: covered };
      return addEtag(replyOk(await addAuthor(deps, workspaceId, shown)), silence);
    },
    deleteSilence: async ({ as, workspaceId, silenceId, expected }) =>
      replyDeleted(await silences.deleteSilence(as, workspaceId, silenceId, expected), "sil"),
  });
