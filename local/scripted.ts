import type { IncomingMessage } from "node:http";
import { dependsOnRequestCount, chooseAnswerForToken, type FcmAnswer } from "./fcm/answers.ts";

/** Returns a function that chooses an answer by `name`, and by the number of earlier requests with the same `key`. */
export const createAnswerChooser = () => {
  const requests = new Map<string, number>();
  return (name: string, key = name): FcmAnswer => {
    const before = requests.get(key) ?? 0;
    if (dependsOnRequestCount(name)) requests.set(key, before + 1);
    return chooseAnswerForToken(name, before);
  };
};

type RequestActions<Kept> = {
  take: () => Kept;
  accept: (kept: Kept) => void;
  refuse: (refusal: Extract<FcmAnswer, { kind: "refuse" }>) => void;
};

/** Creates a responder for requests to a stand-in. The name in a request's URL selects the answer and its delay. */
export const createResponder = () => {
  const next = createAnswerChooser();
  const timers = new Set<NodeJS.Timeout>();
  return {
    answer: <Kept>(name: string, request: IncomingMessage, { take, accept, refuse }: RequestActions<Kept>): void => {
      const scripted = next(name);
      if (scripted.kind === "refuse") refuse(scripted);
      else if (scripted.kind === "takeAndReset") {
        take();
        request.socket.destroy();
      } else if (scripted.kind === "accept" && scripted.afterMs > 0) {
        const timer = setTimeout(() => {
          timers.delete(timer);
          accept(take());
        }, scripted.afterMs);
        timers.add(timer);
      } else accept(take());
    },
    close: (): void => {
      for (const timer of timers) clearTimeout(timer);
    },
  };
};
