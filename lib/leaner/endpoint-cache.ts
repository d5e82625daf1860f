/** Replaces `@aws-sdk/endpoint-cache` in the bundles. The DynamoDB client needs it only for endpoint discovery, which is off. */
export class EndpointCache {
  get(): undefined {
    return undefined;
  }
  getEndpoint(): undefined {
    return undefined;
  }
  has(): boolean {
    return false;
  }
  set(): void {}
  delete(): void {}
  clear(): void {}
}
