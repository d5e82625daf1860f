import { account } from "./pagerduty.ts";
import { testMoves } from "./move.ts";

await testMoves("pagerduty", "whom an account of PagerDuty woke is woken by its clients' calls", account);
