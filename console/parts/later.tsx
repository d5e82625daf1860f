import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { type Failure, toFailureOrRethrow } from "../app/failure.ts";
import { loadPart } from "../app/part.ts";
import { showStatus } from "../app/status.ts";
import { explainFailure } from "../texts.ts";

type LazyPartProps<Part> = {
  load: () => Promise<Part>;
  textsName?: string;
  /** Called after a failure, whose reason is shown in any case. */
  onFailure?: (failure: Failure) => void;
  children: (part: Part) => ComponentChildren;
};

/** Loads a part of the console when `LazyPart` is first shown, and then shows the part. */
export const LazyPart = <Part,>({ load, textsName, onFailure, children }: LazyPartProps<Part>) => {
  const [part, setPart] = useState<Part>();
  useEffect(() => {
    loadPart(load, textsName).then(setPart, (error: unknown) => {
      const failure = toFailureOrRethrow(error);
      onFailure?.(failure);
      showStatus(explainFailure(failure));
    });
  }, []);
  return part === undefined ? null : children(part);
};
