import { useState } from "preact/hooks";
import type { PageContext, StatusText } from "../../app/page.tsx";
import { here, navigate } from "../../app/router.ts";
import { isText, readJson, objectShape } from "../../app/shape.ts";
import { Action } from "../../parts/action.tsx";
import { texts } from "../../page-texts/connections.ts";

const MARK = "#tie=";
const isSaid = objectShape({ name: isText, user: isText });

/** Returns the name of the Slack account in the token, empty if unreadable. Only the API can verify the token and its name. */
const readAccountName = (token: string): string => {
  try {
    const text = atob((token.split(".")[0] ?? "").replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(text, (byte) => byte.charCodeAt(0));
    const said = readJson(new TextDecoder().decode(bytes), isSaid);
    return said === undefined ? "" : `${said.name} (${said.user})`;
  } catch {
    return "";
  }
};

const LinkAccountForm = ({ token, context: { api } }: { token: string; context: PageContext }) => {
  const [done, setDone] = useState(false);
  const words = texts.connections;
  const linkAccount = async (): Promise<StatusText> => {
    await api("slack/tie-slack-account", { body: { token } });
    setDone(true);
    return words.tied;
  };
  const dismissQuestion = async (): Promise<undefined> => {
    navigate("/connections", { replace: true });
  };
  return (
    <section class="panel" aria-label={words.tie}>
      <h2>{words.tie}</h2>
      {done ? (
        <p>{words.tied}</p>
      ) : (
        <>
          <p>{words.tieQuestion(readAccountName(token))}</p>
          <p class="buttons">
            <Action look="main" role="viewer" action={linkAccount}>
              {words.tieYes}
            </Action>
            <Action role="viewer" action={dismissQuestion}>
              {words.tieNo}
            </Action>
          </p>
        </>
      )}
    </section>
  );
};

/** Returns the token after `MARK` in the URL's hash; undefined if the hash does not begin with `MARK`. */
const findLinkToken = (): string | undefined => {
  const { hash } = here.value;
  return hash.startsWith(MARK) ? hash.slice(MARK.length) : undefined;
};

export const LinkAccountQuestion = ({ context }: { context: PageContext }) => {
  const token = findLinkToken();
  return token === undefined ? null : <LinkAccountForm token={token} context={context} />;
};

export const UnlinkAccount = ({ context }: { context: PageContext }) => {
  const unlinkAccount = async (): Promise<StatusText> => {
    await context.api("slack/untie-slack-account", {});
    return texts.connections.untied;
  };
  return (
    <p class="buttons">
      <Action role="viewer" action={unlinkAccount}>
        {texts.connections.untie}
      </Action>
    </p>
  );
};
