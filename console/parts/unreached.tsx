import type { PageContext } from "../app/page.tsx";
import { unreached } from "../app/unreached.ts";
import { texts } from "../texts.ts";
import { Action } from "./action.tsx";

/** Asks the owner about devices that a push might not reach, on every page, until they are dealt with. */
export const UnreachedNotes = ({ place }: { place: Pick<PageContext, "api" | "workspaceId" | "me"> }) => {
  const renew = async (): Promise<string> => {
    const [{ notifyHere }, { lookAtDevices }] = await Promise.all([
      import("../app/browser-push.ts"),
      import("../app/visit.ts"),
    ]);
    const done = await notifyHere(place);
    await lookAtDevices(place);
    return done;
  };
  return (
    <>
      {unreached.value.map((one) => (
        <p key={one.kind === "here" ? "here" : one.id} class="note warn">
          {one.kind === "here" ? texts.devices.goneHere : texts.devices.silentAsk(one.name ?? texts.devices.unnamed)}{" "}
          {(one.kind === "here" || one.isWeb) && <Action action={renew}>{texts.devices.renew}</Action>}{" "}
          <a href="/devices">{texts.pages.devices}</a>
        </p>
      ))}
    </>
  );
};
