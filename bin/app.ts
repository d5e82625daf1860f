import { synthesizeStage } from "../lib/app.ts";

synthesizeStage();
