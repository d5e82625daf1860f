import { here } from "../app/router.ts";
import { isEnded, signIn } from "../app/session.ts";
import { texts } from "../texts.ts";

/** The URL of the window in which the reader signs in again, and which then closes. */
const AGAIN = "/login?again=1";

/** Signs the reader in beside the page, which stays unchanged. */
export const SignIn = () => {
  const openSignIn = (): void => {
    const { pathname, search } = here.peek();
    // A browser that opens no window goes to the sign-in pages itself, and returns; drafts are stored in the tab.
    if (window.open(AGAIN, "_blank") === null) void signIn(pathname + search);
  };
  return (
    <button type="button" onClick={openSignIn}>
      {texts.signIn}
    </button>
  );
};

/** Says on the page that the session has ended. */
export const SignInAgain = () =>
  isEnded.value ? (
    <div class="connection" role="alert">
      <span>{texts.ended.lead}</span>
      <SignIn />
    </div>
  ) : null;
