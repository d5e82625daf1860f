import { account } from "./oncall.ts";
import { testMoves } from "./move.ts";

await testMoves("oncall", "whom an account of Grafana OnCall woke is woken by what its tools send", account);
