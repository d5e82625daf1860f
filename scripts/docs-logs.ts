import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { logsPage } from "./docs/logs-page.ts";

writeFileSync(join(import.meta.dirname, "../docs/logs.md"), logsPage());
