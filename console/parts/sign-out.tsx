import { useSignal } from "@preact/signals";
import { removeWorkerData } from "../app/leave.ts";
import { unsentIds } from "../app/outbox.ts";
import { listRegisteredDevices } from "../app/registered.ts";
import { signOut } from "../app/session.ts";
import { texts } from "../texts.ts";
import { Dialog } from "./dialog.tsx";

/** Shows a button that signs out, but first asks if this browser notifies the person or has unsent acknowledgements. */
export const SignOut = ({ userId }: { userId: string }) => {
  const isAsking = useSignal(false);
  const isLeaving = useSignal(false);
  const unsent = unsentIds.value.size;
  const leaveConsole = async (shouldKeepDevice: boolean): Promise<void> => {
    isLeaving.value = true;
    if (!shouldKeepDevice) await removeWorkerData(userId);
    await signOut(shouldKeepDevice);
  };
  const askOrSignOut = (): void => {
    if (unsent > 0 || listRegisteredDevices(userId).length > 0) isAsking.value = true;
    else void leaveConsole(false);
  };
  return (
    <>
      <button type="button" disabled={isLeaving.value} onClick={askOrSignOut}>
        {texts.signOut}
      </button>
      {isAsking.value && (
        <Dialog
          heading={texts.leaving.heading}
          close={() => {
            isAsking.value = false;
          }}
        >
          {unsent > 0 && <p class="wrong">{texts.leaving.unsent(unsent)}</p>}
          <p>{texts.leaving.lead}</p>
          <p class="buttons">
            <button type="button" class="main" disabled={isLeaving.value} onClick={() => void leaveConsole(false)}>
              {texts.leaving.stop}
            </button>
            <button type="button" disabled={isLeaving.value} onClick={() => void leaveConsole(true)}>
              {texts.leaving.keep}
            </button>
          </p>
        </Dialog>
      )}
    </>
  );
};
