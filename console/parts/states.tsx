import type { ComponentChildren } from "preact";
import type { Failure } from "../app/failure.ts";
import { SignIn } from "./sign-in-again.tsx";
import { explainFailure, texts } from "../texts.ts";

/** Shows a placeholder as high as a list, so that the page does not jump when the data is loaded. */
export const Skeleton = () => (
  <div class="skeleton" role="status" aria-label={texts.loading}>
    {["a", "b", "c", "d", "e"].map((key) => (
      <i key={key} />
    ))}
  </div>
);

/** Shows why the page cannot be loaded. If the session is not accepted, offers to sign in. */
export const LoadFailure = ({
  failure,
  retry,
  stale,
}: {
  failure: Failure;
  retry: () => Promise<void>;
  stale: boolean;
}) => (
  <div class="note bad" role="alert">
    <p>
      {explainFailure(failure)} {stale ? texts.trouble : ""}
    </p>
    {failure.kind === "signed-out" ? (
      <SignIn />
    ) : (
      <button type="button" onClick={() => void retry()}>
        {texts.tryAgain}
      </button>
    )}
  </div>
);

export const ActionFailure = ({ failure }: { failure: Failure | undefined }) =>
  failure === undefined ? null : (
    <p class="wrong" role="alert">
      {explainFailure(failure)}
    </p>
  );

/** Says that a list is empty. `next`: a button for the next action. */
export const Empty = ({ children, next }: { children: ComponentChildren; next?: ComponentChildren }) => (
  <div class="empty">
    {next === undefined ? (
      children
    ) : (
      <>
        <p>{children}</p>
        <p>{next}</p>
      </>
    )}
  </div>
);
