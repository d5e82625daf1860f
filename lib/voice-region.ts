/** The region of Amazon Connect; not every region has it. */
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

/** Whether a region is of GovCloud, a partition of its own. */
export const isOfGovernment = (region: string): boolean => region.startsWith("us-gov-");

/** The region of an ARN. */
export const regionOf = (arn: string): string => arn.split(":")[3] ?? "";

/** The region of the calling instance, if it is not the stage's own, together with the stage's. */
export const voiceElsewhere = ({
  voice,
  region: home,
}: {
  voice: { instance: string } | undefined;
  region: string | undefined;
}): { region: string; home: string } | undefined => {
  if (voice === undefined || home === undefined) return undefined;
  const region = regionOf(voice.instance);
  return region === home ? undefined : { region, home };
};
