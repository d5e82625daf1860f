import { useState } from "preact/hooks";
import type { Api } from "../../app/api.ts";
import { ignoreFailed } from "../../app/failure.ts";
import { Action } from "../../parts/action.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { texts } from "../../texts.ts";
import { type Open, readNotified } from "./open.ts";

type AllProps = { open: readonly Open[]; api: Api; run: (some: readonly Open[]) => Promise<string> };
type Question = { open: readonly Open[]; names: readonly string[] };

/** The most titles that the question shows. */
const TITLES_MAX = 5;

/** Acknowledges all that is shown, after a question that says what ends and who was told. */
export const AcknowledgeAll = ({ open, api, run }: AllProps) => {
  const [asked, setAsked] = useState<Question>();
  const ask = async (): Promise<undefined> => {
    const ids = open.map(({ id }) => id);
    // Without an answer it asks all the same, with the names at hand: the press is kept until there is a network.
    const names = await readNotified(api, ids).catch((error: unknown) => {
      ignoreFailed(error);
      return [...new Set(open.flatMap((one) => one.names))];
    });
    setAsked({ open, names });
  };
  const acknowledge = async (some: readonly Open[]): Promise<string> => {
    const said = await run(some);
    setAsked(undefined);
    return said;
  };
  return (
    <>
      <Action action={ask}>{texts.inbox.acknowledgeAll}</Action>
      {asked !== undefined && (
        <Dialog heading={texts.inbox.askAll(asked.open.length)} close={() => setAsked(undefined)}>
          <p>{texts.inbox.askedAll(asked.names)}</p>
          <ul class="titles">
            {asked.open.slice(0, TITLES_MAX).map(({ id, title }) => (
              <li key={id}>{title}</li>
            ))}
            {asked.open.length > TITLES_MAX && (
              <li class="soft">{texts.inbox.andMore(asked.open.length - TITLES_MAX)}</li>
            )}
          </ul>
          <p class="buttons">
            <Action look="main" action={() => acknowledge(asked.open)} busyText={texts.inbox.sending}>
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
