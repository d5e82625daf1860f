import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { readArguments } from "../tools/command-line.ts";
import { renderGrantsPage } from "./docs/grants.ts";

readArguments("npm run docs:grants    writes docs/grants.md", {});

writeFileSync(join(import.meta.dirname, "../docs/grants.md"), renderGrantsPage());
