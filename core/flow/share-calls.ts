import type { WorkspaceId } from "../domain/basics/ids.ts";

/** Splits a call's key at its spaces; the key's first part is the workspace's id. */
export const splitSharedKey = (key: string): [WorkspaceId, ...string[]] => {
  const [id = "", ...rest] = key.slice("ws_".length).split(" ");
  return [`ws_${id}`, ...rest];
};

/** Combines calls with one key: the first runs at once, the others together after it. `work` answers in the questions' order. */
export const shareConcurrentCalls = <Question, Answer>(
  work: (key: string, questions: readonly Question[]) => Promise<readonly Answer[]>,
): ((key: string, question: Question) => Promise<Answer>) => {
  type Waiting = { question: Question; resolve: (answer: Answer) => void; reject: (error: unknown) => void };
  const lines = new Map<string, Waiting[]>();
  const runShared = async (key: string, calls: Waiting[]): Promise<void> => {
    while (calls.length > 0) {
      const some = calls.splice(0);
      try {
        const answers = await work(
          key,
          some.map(({ question }) => question),
        );
        for (const [index, { resolve, reject }] of some.entries()) {
          const answer = answers[index];
          if (answer === undefined) reject(new Error("a batched call returned fewer answers than questions"));
          else resolve(answer);
        }
      } catch (error) {
        for (const { reject } of some) reject(error);
      }
    }
    lines.delete(key);
  };
  return (key, question) =>
    new Promise((resolve, reject) => {
      const line = lines.get(key);
      const one = { question, resolve, reject };
      if (line !== undefined) line.push(one);
      else {
        const begun = [one];
        lines.set(key, begun);
        void runShared(key, begun);
      }
    });
};
