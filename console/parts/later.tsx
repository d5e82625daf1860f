import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { type Failure, failureOrRethrow } from "../app/failure.ts";
import { loadPart } from "../app/part.ts";
import { showStatus } from "../app/status.ts";
import { explainFailure } from "../texts.ts";

type LaterProps<Part> = {
  load: () => Promise<Part>;
  ownTexts?: string;
  /** Called after a failure, whose reason is shown in any case. */
  failed?: (failure: Failure) => void;
  children: (part: Part) => ComponentChildren;
};

/** Loads a part of the console when the part is first shown. */
export const LazyPart = <Part,>({ load, ownTexts, failed, children }: LaterProps<Part>) => {
  const [part, setPart] = useState<Part>();
  useEffect(() => {
    loadPart(load, ownTexts).then(setPart, (error: unknown) => {
      const failure = failureOrRethrow(error);
      failed?.(failure);
      showStatus(explainFailure(failure));
    });
  }, []);
  return part === undefined ? null : children(part);
};
