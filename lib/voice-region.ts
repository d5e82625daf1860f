export const CONNECT_REGIONS: readonly string[] = [
  "us-east-1",
  "us-west-2",
  "ca-central-1",
  "eu-central-1",
  "eu-west-2",
  "ap-northeast-1",
  "ap-northeast-2",
  "ap-southeast-1",
  "ap-southeast-2",
  "af-south-1",
  "us-gov-west-1",
];

/** Returns whether a region is in GovCloud, which is a separate partition of AWS. */
export const isGovCloud = (region: string): boolean => region.startsWith("us-gov-");

export const extractRegion = (arn: string): string => arn.split(":")[3] ?? "";

/** Returns the region of the Connect instance and the stage's own region; undefined if the regions are equal. */
export const findOtherVoiceRegion = ({
  voice,
  region: home,
}: {
  voice: { instance: string } | undefined;
  region: string | undefined;
}): { region: string; home: string } | undefined => {
  if (voice === undefined || home === undefined) return undefined;
  const region = extractRegion(voice.instance);
  return region === home ? undefined : { region, home };
};
