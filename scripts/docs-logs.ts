import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { readArguments } from "../tools/command-line.ts";
import { renderLogsPage } from "./docs/logs-page.ts";

readArguments("npm run docs:logs    writes docs/logs.md", {});

writeFileSync(join(import.meta.dirname, "../docs/logs.md"), renderLogsPage());
