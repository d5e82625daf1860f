/** Replaces `@aws-sdk/endpoint-cache` in the bundles. The DynamoDB client needs a cache only for endpoint discovery (off). */
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
