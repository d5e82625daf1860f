import { here } from "../app/router.ts";
import { isSessionEnded, signIn } from "../app/session.ts";
import { texts } from "../texts.ts";

/** The URL of a second window for signing in, which closes after the sign-in. */
const AGAIN = "/login?again=1";

/** Opens the sign-in in a second window, so that this page stays open. */
export const SignIn = () => {
  const openSignIn = (): void => {
    const { pathname, search } = here.peek();
    // Without a second window, this page leads to the sign-in pages and back; drafts are stored in the tab.
    if (window.open(AGAIN, "_blank") === null) void signIn(pathname + search);
  };
  return (
    <button type="button" onClick={openSignIn}>
      {texts.signIn}
    </button>
  );
};

export const SignInAgain = () =>
  isSessionEnded.value ? (
    <div class="connection" role="alert">
      <span>{texts.ended.lead}</span>
      <SignIn />
    </div>
  ) : null;
