import { synthesizeStack } from "../../local/template/synthesize.ts";

/** Builds the functions and synthesizes the stack: the services that tests start at the same time take them from there. */
export const setup = async (): Promise<void> => {
  await synthesizeStack();
};
