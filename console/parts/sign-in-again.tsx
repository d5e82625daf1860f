import { here } from "../app/router.ts";
import { isEnded, signIn } from "../app/session.ts";
import { texts } from "../texts.ts";

/** The address of the window in which the reader signs in again, and which then closes. */
const AGAIN = "/login?again=1";

/** Signs the reader in beside the page, which stays as it is. */
export const SignIn = () => {
  const press = (): void => {
    const { pathname, search } = here.peek();
    // A browser that opens no window goes there itself, and comes back; drafts are kept in the tab.
    if (window.open(AGAIN, "_blank") === null) void signIn(pathname + search);
  };
  return (
    <button type="button" onClick={press}>
      {texts.signIn}
    </button>
  );
};

/** Says that the session has ended, on the page as it is. */
export const SignInAgain = () =>
  isEnded.value ? (
    <div class="connection" role="alert">
      <span>{texts.ended.lead}</span>
      <SignIn />
    </div>
  ) : null;
