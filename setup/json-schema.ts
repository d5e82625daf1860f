import { fileURLToPath } from "node:url";
import { home } from "../tools/program.ts";
import { toInputSchema } from "../interface/schema.ts";
import { AlertsFile } from "./file.ts";

export const schemaFile = fileURLToPath(new URL("docs/alerts.schema.json", home));

/** Editors support draft 7 best. */
export const renderJsonSchema = (): string => {
  const schema = {
    $schema: "http://json-schema.org/draft-07/schema#",
    title: "The setup of a workspace",
    ...toInputSchema(AlertsFile, "draft-07"),
  };
  return `${JSON.stringify(schema, undefined, 2)}\n`;
};
