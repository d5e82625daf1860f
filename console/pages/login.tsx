import { useEffect, useState } from "preact/hooks";
import { type Failure, toFailureOrRethrow } from "../app/failure.ts";
import { here, navigate } from "../app/router.ts";
import { finishSignIn, session, signIn, type SignInEnd } from "../app/session.ts";
import { readWorkspaceName } from "../app/workspace.ts";
import { Heading } from "../parts/host.tsx";
import { explainFailure, texts } from "../texts.ts";

/** Returns the path to which the URL asks to go; the inbox if the path is not a page of the console. */
const readPageAfterLogin = (): string => {
  const to = here.peek().searchParams.get("to") ?? "";
  return /^\/(?![/\\])/.test(to) && !to.startsWith("/login") ? to : "/inbox";
};

type SignInFault = Failure | Exclude<SignInEnd, { kind: "in" }>;

const describeFault = (fault: SignInFault): string => {
  if (fault.kind === "lost") return texts.login.failed;
  return fault.kind === "denied" ? texts.login.denied(fault.reason) : explainFailure(fault);
};

/** Signs the reader in. `finishing`: the reader returns from the user pool's pages with a code. */
export const Login = ({ finishing }: { finishing: boolean }) => {
  const [failure, setFailure] = useState<SignInFault>();
  useEffect(() => {
    if (!finishing) return;
    finishSignIn(here.peek().searchParams)
      .then((end) => (end.kind === "in" ? navigate(end.to, { replace: true }) : setFailure(end)))
      .catch((error: unknown) => setFailure(toFailureOrRethrow(error)));
  }, []);
  const isIn = session.value.state === "in";
  // `again` marks a second window beside the page whose session has ended. The second window closes after the sign-in.
  const isAgain = here.value.searchParams.has("again");
  useEffect(() => {
    if (!isIn || finishing) return;
    if (isAgain) window.close();
    else navigate(readPageAfterLogin(), { replace: true });
  }, [isIn]);
  useEffect(() => {
    if (finishing || isIn) return;
    // A link that names a person starts the sign-in at once.
    if (isAgain) void signIn("/login?again=1");
    else if (here.peek().searchParams.has("as")) void signIn(readPageAfterLogin());
  }, []);
  if (isIn && isAgain) return <p role="status">{texts.ended.close}</p>;
  if (finishing && failure === undefined) return <p role="status">{texts.login.working}</p>;
  const name = readWorkspaceName(readPageAfterLogin());
  return (
    <div class="login">
      <Heading text={texts.login.heading} />
      {name !== null && (
        <p class="push-text" dir="auto">
          {name}
        </p>
      )}
      <p>{texts.login.lead}</p>
      {failure !== undefined && (
        <p class="wrong" role="alert">
          {describeFault(failure)}
        </p>
      )}
      <button type="button" class="main" onClick={() => void signIn(readPageAfterLogin())}>
        {texts.signIn}
      </button>
    </div>
  );
};
