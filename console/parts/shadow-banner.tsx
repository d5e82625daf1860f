import { createApi } from "../app/api.ts";
import { formatDayAndTime } from "../app/clock.ts";
import { workspaces } from "../app/workspace.ts";
import { texts } from "../page-texts/frame.ts";
import { Action } from "./action.tsx";

/** Says on every page that nobody is notified of events, and ends that in one press. */
export const ShadowBanner = ({ workspaceId, until }: { workspaceId: string; until: string }) => (
  <p class="note warn">
    {texts.shadow.lasts(formatDayAndTime(until))}{" "}
    <Action
      role="owner"
      action={async () => {
        await createApi(workspaceId)("workspaces/end-shadow", {});
        await workspaces.value?.refresh();
        return texts.shadow.ended;
      }}
    >
      {texts.shadow.end}
    </Action>
  </p>
);
