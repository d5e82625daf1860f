import { useEffect } from "preact/hooks";
import { quiet } from "../app/quiet.ts";
import { createApi } from "../app/api.ts";
import { formatDayAndTime } from "../app/clock.ts";
import { workspace } from "../app/workspace.ts";
import { texts } from "../texts.ts";
import { useResource } from "./use-resource.ts";

const SilenceBannerContent = ({ workspaceId }: { workspaceId: string }) => {
  const state = useResource(
    (signal) => createApi(workspaceId, signal)("silences/list-silences", { query: { active: "true" } }),
    60,
    workspaceId,
  );
  const count = state?.kind === "ready" ? state.data.length : 0;
  useEffect(() => {
    quiet.value = count;
  }, [count]);
  if (state?.kind !== "ready") return null;
  return state.data
    .filter(({ everything }) => everything)
    .map(({ id, name, until }) => (
      <p key={id} class="note warn">
        {texts.quiet.overEverything(name, until === null ? undefined : formatDayAndTime(until))}{" "}
        <a href="/silences">{texts.quiet.see}</a>
      </p>
    ));
};

/** Shows the active silences on every page, so that readers know why nobody is notified. */
export const SilenceBanner = () => {
  const id = workspace.value?.id;
  return id === undefined ? null : <SilenceBannerContent key={id} workspaceId={id} />;
};
