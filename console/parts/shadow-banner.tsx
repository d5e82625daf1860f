import { createApi } from "../app/api.ts";
import { formatDayAndTime } from "../app/clock.ts";
import { refreshAll } from "../app/resource.ts";
import { texts } from "../page-texts/frame.ts";
import { Action } from "./action.tsx";

/** Says on every page how long the shadow lasts, with a button to end the shadow. */
export const ShadowBanner = ({ workspaceId, until }: { workspaceId: string; until: string }) => (
  <p class="note warn">
    {texts.shadow.lasts(formatDayAndTime(until))} <a href="/shadow">{texts.shadow.compare}</a>{" "}
    <Action
      role="owner"
      action={async () => {
        await createApi(workspaceId)("workspaces/end-shadow", {});
        refreshAll();
        return texts.shadow.ended;
      }}
    >
      {texts.shadow.end}
    </Action>
  </p>
);
