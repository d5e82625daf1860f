import type { PageContext, StatusText } from "../app/page.tsx";
import { loadPart } from "../app/part.ts";
import { unreached, type UnreachedDevice } from "../app/unreached.ts";
import { texts } from "../page-texts/frame.ts";
import { Action } from "./action.tsx";

const describeUnreached = (device: UnreachedDevice): string => {
  if (device.kind === "here") return texts.unreached.goneHere;
  const name = device.name ?? texts.reach.unnamed;
  return device.kind === "renew" ? texts.unreached.renewAsk(name) : texts.unreached.silentAsk(name);
};

/** Shows on every page which devices pushes might not reach, until the reader responds. */
export const UnreachedNotices = ({ reader }: { reader: Pick<PageContext, "api" | "workspaceId" | "me"> }) => {
  const renewRegistration = async (): Promise<StatusText> => {
    const [{ enableNotifications: notifyHere }, { showUnreachableDevices: lookAtDevices }] = await Promise.all([
      loadPart(() => import("../app/browser-push.ts")),
      loadPart(() => import("../app/check-devices.ts")),
    ]);
    const done = await notifyHere(reader);
    await lookAtDevices(reader);
    return done;
  };
  return (
    <>
      {unreached.value.map((one) => (
        <p key={one.kind === "here" ? "here" : one.id} class="note warn">
          {describeUnreached(one)}{" "}
          {(one.kind === "here" || one.isWeb) && <Action action={renewRegistration}>{texts.unreached.renew}</Action>}{" "}
          <a href="/devices">{texts.pages.devices}</a>
        </p>
      ))}
    </>
  );
};
