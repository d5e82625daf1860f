import { synthesizeStack } from "../../local/template/synthesize.ts";

/** Builds in advance, for the services that tests start at the same time. */
export const setup = async (): Promise<void> => {
  await synthesizeStack();
};
