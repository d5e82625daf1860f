import { useState } from "preact/hooks";
import type { PageContext } from "../../app/page.tsx";
import { here, navigate } from "../../app/router.ts";
import { isText, readJson, shaped } from "../../app/shape.ts";
import { Action } from "../../parts/action.tsx";
import { texts } from "../../page-texts/connections.ts";

const MARK = "#tie=";
const isSaid = shaped({ name: isText, user: isText });

/** Returns the name of the Slack account in a link's token. It is unverified: only the service can check the token. */
const nameIn = (token: string): string => {
  try {
    const text = atob((token.split(".")[0] ?? "").replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(text, (byte) => byte.charCodeAt(0));
    const said = readJson(new TextDecoder().decode(bytes), isSaid);
    return said === undefined ? "" : `${said.name} (${said.user})`;
  } catch {
    return "";
  }
};

/** Asks the person who opened the link from Slack whether the account is theirs. */
const Asking = ({ token, context: { api } }: { token: string; context: PageContext }) => {
  const [done, setDone] = useState(false);
  const words = texts.connections;
  const tie = async (): Promise<string> => {
    await api("slack/tie-slack-account", { body: { token } });
    setDone(true);
    return words.tied;
  };
  const drop = async (): Promise<undefined> => {
    navigate("/connections", { replace: true });
  };
  return (
    <section class="panel" aria-label={words.tie}>
      <h2>{words.tie}</h2>
      {done ? (
        <p>{words.tied}</p>
      ) : (
        <>
          <p>{words.tieQuestion(nameIn(token))}</p>
          <p class="buttons">
            <Action look="main" role="viewer" action={tie}>
              {words.tieYes}
            </Action>
            <Action role="viewer" action={drop}>
              {words.tieNo}
            </Action>
          </p>
        </>
      )}
    </section>
  );
};

/** Returns the token of the opened link from Slack, if any. */
const tieIn = (): string | undefined => {
  const { hash } = here.value;
  return hash.startsWith(MARK) ? hash.slice(MARK.length) : undefined;
};

/** Asks about the link from Slack, before everything else on the page. */
export const TieQuestion = ({ context }: { context: PageContext }) => {
  const token = tieIn();
  return token === undefined ? null : <Asking token={token} context={context} />;
};

export const Untie = ({ context }: { context: PageContext }) => {
  const untie = async (): Promise<string> => {
    await context.api("slack/untie-slack-account", {});
    return texts.connections.untied;
  };
  return (
    <p class="buttons">
      <Action role="viewer" action={untie}>
        {texts.connections.untie}
      </Action>
    </p>
  );
};
