import type { Deps } from "../core/deps.ts";
import { sha256 } from "../core/domain/basics/digest.ts";
import { liveDeps } from "../core/live.ts";
import * as sites from "../core/store/events/sites.ts";
import { replyList } from "./http/pages.ts";
import * as contract from "../interface/contracts/sites.ts";
import { serve } from "./http/serve.ts";

/** Returns short names for page links, because a site's address may be too long for API Gateway. */
const computeShortSiteNames = async (addresses: readonly string[]): Promise<Map<string, string>> =>
  new Map(
    await Promise.all(
      addresses.map(async (site) => [site, Buffer.from(await sha256(site)).toString("base64url")] as const),
    ),
  );

/** Creates the handler of the requests that read sites. */
export const reads = (deps: Pick<Deps, "table" | "log"> = liveDeps()) =>
  serve(deps, contract.reads, {
    listSites: async (request) => {
      const all = await sites.listSites(deps, request.workspaceId);
      const names = await computeShortSiteNames(all.map(({ site }) => site));
      return replyList(request, all, ({ site }) => names.get(site) ?? site);
    },
  });
