import { afterEach } from "vitest";
import { takeDefects } from "./defects.ts";

/** What vitest prints for a value that has no label: outside quotes, it makes a title unreadable. */
const RAW_VALUE = /undefined(?! field)|\[object |\[Function|\{ \w+: |\[\]|\{\}/;

afterEach(({ task }) => {
  if (RAW_VALUE.test(task.name.replaceAll(/"[^"]*"|`[^`]*`/g, "")))
    throw new Error(`This title prints a raw value, give its row a label: ${task.name}`);
  const defects = takeDefects();
  if (defects.length > 0) throw new Error(`The service logged defects:\n${defects.join("\n")}`);
});
