import { createApi } from "../app/api.ts";
import { formatDayAndTime } from "../app/clock.ts";
import { refreshAll } from "../app/resource.ts";
import { texts } from "../page-texts/frame.ts";
import { Action } from "./action.tsx";

/** The banner is on every page and has a button to end the shadow. */
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
