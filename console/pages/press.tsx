import { useState } from "preact/hooks";
import { toFailure, sendRequest } from "../app/api.ts";
import { here } from "../app/router.ts";
import { Heading } from "../parts/host.tsx";
import { useAction } from "../parts/doing.ts";
import { explainFailure, texts } from "../texts.ts";

const RECEIPTS = "/v1/receipts";
const UNAUTHENTICATED = 401;

/** Returns whether a token belongs to a test. The fourth part of a token is the id of the notification or test. */
const isTest = (token: string): boolean => token.split(".")[3]?.startsWith("tst_") === true;

/**
 * The page that links of emails open, without a sign-in. Opening the page changes nothing, because mail scanners open links. The
 * button posts the token from the URL's fragment.
 */
export const EmailAcknowledge = () => {
  const token = here.peek().hash.slice(1);
  const isConfirming = isTest(token);
  const [isDone, setDone] = useState(false);
  const { busy, failure, run } = useAction(async () => {
    const status = isConfirming ? "DELIVERED" : "ACKNOWLEDGED";
    const answer = await sendRequest("POST", RECEIPTS, {}, { token, status, at: Date.now() });
    if (!answer.ok) throw toFailure(answer);
    setDone(true);
    return isConfirming ? texts.press.confirmed : texts.press.acknowledged;
  });
  const isRefused = failure?.kind === "refused" && failure.status === UNAUTHENTICATED;
  return (
    <div class="login">
      <Heading text={isConfirming ? texts.press.confirmHeading : texts.press.heading} />
      {isDone ? (
        <p>{isConfirming ? texts.press.confirmed : texts.press.acknowledged}</p>
      ) : (
        <>
          <p>{isConfirming ? texts.press.confirmLead : texts.press.lead}</p>
          {failure !== undefined && (
            <p class="wrong" role="alert">
              {isRefused ? texts.press.refused : explainFailure(failure)}
            </p>
          )}
          <button type="button" class="main" aria-busy={busy} onClick={() => void run()}>
            {isConfirming ? texts.press.confirm : texts.press.acknowledge}
          </button>
        </>
      )}
    </div>
  );
};
