import { afterAll } from "vitest";
import { startTable } from "./table.ts";

/** Creates a table for the tests of one file, which is removed after them. */
export const useTable = async () => {
  const stand = await startTable();
  afterAll(() => stand.close());
  return stand;
};
