import { createApi } from "../app/api.ts";
import { useEffect } from "preact/hooks";
import { here } from "../app/router.ts";
import { setOpenCount } from "../app/waiting.ts";
import { workspace } from "../app/workspace.ts";
import { readOpenPage } from "../pages/inbox/open.ts";
import { useResource } from "./use-resource.ts";

const EVERY_SECONDS = 30;

const OpenCountPoll = ({ workspaceId }: { workspaceId: string }) => {
  const page = useResource((signal) => readOpenPage(createApi(workspaceId, signal), false), EVERY_SECONDS, workspaceId);
  const data = page?.kind === "ready" ? page.data : undefined;
  useEffect(() => {
    if (data !== undefined) setOpenCount(workspaceId, data);
  }, [data]);
  return null;
};

/** Reads the number of open events in the reader's inbox, unless the inbox is shown and reads this number itself. */
export const OpenCountPolling = () => {
  const id = workspace.value?.id;
  const { pathname, searchParams } = here.value;
  const isInbox = (pathname === "/" || pathname === "/inbox") && searchParams.get("all") !== "1";
  return id === undefined || isInbox ? null : <OpenCountPoll key={id} workspaceId={id} />;
};
