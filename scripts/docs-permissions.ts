import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { readArguments } from "../tools/command-line.ts";
import { findUnusedGrants } from "./docs/permission-run.ts";
import { renderPermissionsPage } from "./docs/permissions-page.ts";

readArguments(
  "npm run docs:permissions    runs the service to see which permissions it uses, and writes docs/permissions.md",
  {},
);

writeFileSync(join(import.meta.dirname, "../docs/permissions.md"), renderPermissionsPage(await findUnusedGrants()));
