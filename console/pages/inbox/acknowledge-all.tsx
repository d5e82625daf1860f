import { useState } from "preact/hooks";
import type { Api } from "../../app/api.ts";
import { ignoreFailed } from "../../app/failure.ts";
import { unsentIds } from "../../app/outbox.ts";
import type { StatusText } from "../../app/page.tsx";
import { pressed } from "../../app/pressed.ts";
import { Action } from "../../parts/action.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { texts } from "../../texts.ts";
import type { OpenEvent } from "./groups.ts";
import { type OpenList, readAllOpenEvents, readNotifiedNames } from "./open.ts";

type AllProps = {
  list: OpenList;
  isShared: boolean;
  api: Api;
  run: (events: readonly OpenEvent[]) => Promise<StatusText>;
};
type AcknowledgeQuestion = { open: readonly OpenEvent[]; names: readonly string[] };

const TITLES_MAX = 5;

/** Acknowledges all listed events, after a question that names the events and the people. */
export const AcknowledgeAll = ({ list, isShared, api, run }: AllProps) => {
  const [asked, setAsked] = useState<AcknowledgeQuestion>();
  const readQuestion = async (): Promise<AcknowledgeQuestion> => {
    const all = list.open.length < list.total ? await readAllOpenEvents(api, isShared) : list.open;
    const open = all.filter(({ id }) => !pressed.value.has(id) && !unsentIds.value.has(id));
    return { open, names: await readNotifiedNames(api, new Set(open.map(({ id }) => id))) };
  };
  const askQuestion = async (): Promise<undefined> => {
    // If reading fails, the question names only the events on the page, because acknowledging works even without a network.
    const question = await readQuestion().catch((error: unknown): AcknowledgeQuestion => {
      ignoreFailed(error);
      return { open: list.open, names: [...new Set(list.open.flatMap(({ card }) => card?.recipients ?? []))] };
    });
    setAsked(question);
  };
  const acknowledgeAndClose = async (events: readonly OpenEvent[]): Promise<StatusText> => {
    const said = await run(events);
    setAsked(undefined);
    return said;
  };
  return (
    <>
      <Action action={askQuestion}>{texts.inbox.acknowledgeAll}</Action>
      {asked !== undefined && (
        <Dialog heading={texts.inbox.askAll(asked.open.length)} close={() => setAsked(undefined)}>
          <p>{texts.inbox.askedAll(asked.names)}</p>
          <ul class="titles">
            {asked.open.slice(0, TITLES_MAX).map(({ id, title }) => (
              <li key={id} dir="auto">
                {title}
              </li>
            ))}
            {asked.open.length > TITLES_MAX && (
              <li class="soft">{texts.inbox.andMore(asked.open.length - TITLES_MAX)}</li>
            )}
          </ul>
          <p class="buttons">
            <Action look="main" action={() => acknowledgeAndClose(asked.open)} busyText={texts.inbox.sending}>
              {texts.inbox.acknowledgeThese(asked.open.length)}
            </Action>
            <button type="button" onClick={() => setAsked(undefined)}>
              {texts.cancel}
            </button>
          </p>
        </Dialog>
      )}
    </>
  );
};
