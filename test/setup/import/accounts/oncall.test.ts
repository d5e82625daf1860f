import { account } from "./oncall.ts";
import { testMoves } from "./move.ts";

await testMoves("oncall", "an imported Grafana OnCall account notifies the same people as before", account);
