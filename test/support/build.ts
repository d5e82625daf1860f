import { synthesizeStack } from "../../local/template/synthesize.ts";

/** In advance, for the services that tests start at the same time. */
export const setup = async (): Promise<void> => {
  await synthesizeStack();
};
