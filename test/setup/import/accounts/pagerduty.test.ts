import { account } from "./pagerduty.ts";
import { testMoves } from "./move.ts";

await testMoves("pagerduty", "an imported PagerDuty account notifies the same people as before", account);
