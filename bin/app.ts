import { synthesize } from "../lib/app.ts";

synthesize();
