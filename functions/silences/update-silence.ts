import type { Deps } from "../../core/deps.ts";
import { toSilenceView } from "../../core/domain/rules/silence.ts";
import { SilencePatch } from "../../core/domain/rules/silence-input.ts";
import { dearPatternsOf } from "../../core/domain/rules/matching/index.ts";
import { wouldHaveCovered } from "../../core/flow/read/would-have-covered.ts";
import { withAuthor } from "../../core/flow/read/authors.ts";
import { liveDeps } from "../../core/live.ts";
import * as silences from "../../core/store/silences.ts";
import { found } from "../http/found.ts";
import { endpoint, ok } from "../http/endpoint.ts";
import { asCaller } from "../http/as-caller.ts";
import { member } from "../http/auth.ts";
import { expectedVersions, readChange, tagged } from "../http/conditional.ts";
import { pathId } from "../http/path.ts";

export const updateSilence = (deps: Pick<Deps, "table" | "now" | "newId" | "log">) =>
  endpoint(deps)
    .use(member(deps))
    .use(pathId("sil", "silenceId"))
    .handler(async (request) => {
      const { workspaceId, silenceId } = request;
      const before = found(await silences.readSilence(deps, workspaceId, silenceId), "sil");
      const patch = readChange(request, SilencePatch, before, {
        derived: ["active", "until", "wouldHaveCovered"],
        look: dearPatternsOf,
      });
      const expected = expectedVersions(request);
      const covered = await wouldHaveCovered(deps, workspaceId, { ...before, ...patch });
      const silence = found(
        await silences.updateSilence(asCaller(deps, request), workspaceId, silenceId, patch, expected),
        "sil",
      );
      const shown = { ...toSilenceView(silence, deps.now()), wouldHaveCovered: covered };
      return tagged(ok(await withAuthor(deps, workspaceId, shown)), silence);
    });

export const handler = updateSilence(liveDeps());
