import { afterAll } from "vitest";
import { startTable } from "./table.ts";

export const useTable = async () => {
  const stand = await startTable();
  afterAll(() => stand.close());
  return stand;
};
