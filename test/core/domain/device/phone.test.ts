import { expect, test } from "vitest";
import { findCountry, isPremiumNumber } from "../../../../core/domain/device/phone.ts";

test.each([
  ["+4930123456", "DE"],
  ["+12025550123", "US"],
  ["+16045550123", "CA"],
  // Jamaica shares the country code +1 with the United States, but its messages cost much more.
  ["+18765550123", "JM"],
  ["+77012345678", "KZ"],
  ["+74951234567", "RU"],
  ["+3901234567", "IT"],
  ["+35312345678", "IE"],
])("the country of the phone number %s is %s", (phone, country) => {
  expect(findCountry(phone)).toBe(country);
});

test.each(["+88212345678", "+87012345678", "+97912345678"])("the phone number %s belongs to no country", (phone) => {
  expect(findCountry(phone)).toBeUndefined();
});

test.each([
  ["+4990012345", true, "costs"],
  ["+19005550123", true, "costs"],
  ["+4930123456", false, "does not cost"],
  ["+436641234567", false, "does not cost"],
  ["+491701234567", false, "does not cost"],
  ["+447700900123", false, "does not cost"],
])("a call to the phone number %s $2 extra", (phone, expected) => {
  expect(isPremiumNumber(phone)).toBe(expected);
});
