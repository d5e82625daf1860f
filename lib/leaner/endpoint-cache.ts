/**
 * Replaces `@aws-sdk/endpoint-cache` in the bundles with a cache that keeps nothing. The DynamoDB client makes one for
 * endpoint discovery, which is off by default and asks again for anything that is not cached.
 */
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
