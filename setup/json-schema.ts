import { fileURLToPath } from "node:url";
import { home } from "../tools/program.ts";
import { toInputSchema } from "../interface/schema.ts";
import { AlertsFile } from "./file.ts";

export const schemaFile = fileURLToPath(new URL("docs/alerts.schema.json", home));

/** Returns the JSON Schema of setup files, in draft 7, which editors support best. */
export const renderJsonSchema = (): string => {
  const schema = {
    $schema: "http://json-schema.org/draft-07/schema#",
    title: "The setup of a workspace",
    ...toInputSchema(AlertsFile, "draft-07"),
  };
  return `${JSON.stringify(schema, undefined, 2)}\n`;
};
