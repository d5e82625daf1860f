export type GatewayAnswer = { statusCode: number; headers: Record<string, string>; body: string };
