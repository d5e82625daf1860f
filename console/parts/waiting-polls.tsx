import { createApi } from "../app/api.ts";
import { useEffect } from "preact/hooks";
import { here } from "../app/router.ts";
import { setWaiting } from "../app/waiting.ts";
import { workspace } from "../app/workspace.ts";
import { readWaiting } from "../pages/inbox/open.ts";
import { useResource } from "./use-resource.ts";

const EVERY_SECONDS = 30;

const WaitingPoll = ({ workspaceId }: { workspaceId: string }) => {
  const state = useResource((signal) => readWaiting(createApi(workspaceId, signal), false), EVERY_SECONDS, workspaceId);
  const data = state?.kind === "ready" ? state.data : undefined;
  useEffect(() => {
    if (data !== undefined) setWaiting(workspaceId, data);
  }, [data]);
  return null;
};

/** Reads the number of open events in the reader's inbox, unless the inbox is shown and reads this number itself. */
export const WaitingPolls = () => {
  const id = workspace.value?.id;
  const { pathname, searchParams } = here.value;
  const isInbox = (pathname === "/" || pathname === "/inbox") && searchParams.get("all") !== "1";
  return id === undefined || isInbox ? null : <WaitingPoll key={id} workspaceId={id} />;
};
