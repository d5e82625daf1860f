import { afterEach } from "vitest";
import { takeDefects } from "./defects.ts";

afterEach(() => {
  const defects = takeDefects();
  if (defects.length > 0) throw new Error(`The service logged defects:\n${defects.join("\n")}`);
});
