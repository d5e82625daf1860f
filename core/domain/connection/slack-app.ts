import * as v from "valibot";
import type { WorkspaceId } from "../basics/ids.ts";

/** The secret that lists the Slack apps. `workspaces`: which workspaces may use an app, or `*` for all; by default, none. */
export const SlackApps = v.pipe(
  v.array(
    v.object({
      botToken: v.pipe(v.string(), v.regex(/^xoxb-[A-Za-z0-9-]+$/)),
      signingSecret: v.pipe(v.string(), v.regex(/^[0-9a-f]{32,64}$/)),
      workspaces: v.optional(v.array(v.string()), []),
    }),
  ),
  v.minLength(1),
);
export type SlackApp = v.InferOutput<typeof SlackApps>[number];

const EVERY_WORKSPACE = "*";

export const isAppUsableBy = ({ workspaces }: SlackApp, workspaceId: WorkspaceId): boolean =>
  workspaces.includes(EVERY_WORKSPACE) || workspaces.includes(workspaceId);

export const findAppOfWorkspace = (apps: readonly SlackApp[], workspaceId: WorkspaceId): SlackApp | undefined =>
  apps.find((app) => isAppUsableBy(app, workspaceId));
