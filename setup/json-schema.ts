import { fileURLToPath } from "node:url";
import { home } from "../tools/program.ts";
import { inputSchema } from "../interface/schema.ts";
import { AlertsFile } from "./file.ts";

export const schemaFile = fileURLToPath(new URL("docs/alerts.schema.json", home));

/** Draft 7, which editors support best. */
export const jsonSchemaText = (): string => {
  const schema = {
    $schema: "http://json-schema.org/draft-07/schema#",
    title: "The setup of a workspace",
    ...inputSchema(AlertsFile, "draft-07"),
  };
  return `${JSON.stringify(schema, undefined, 2)}\n`;
};
