import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { findUnusedGrants } from "./docs/permission-run.ts";
import { permissionsPage } from "./docs/permissions-page.ts";

writeFileSync(join(import.meta.dirname, "../docs/permissions.md"), permissionsPage(await findUnusedGrants()));
