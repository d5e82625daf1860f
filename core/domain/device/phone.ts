/* The longest matching prefix of a number decides its country (E.164.1). Satellite and premium numbers have no country. */

/** Countries that share the prefix +1 with the United States. Messages to the islands cost much more. */
const ISLANDS =
  "AG1268 AI1264 AS1684 BB1246 BM1441 BS1242 DM1767 DO1809 DO1829 DO1849 GD1473 GU1671 JM1876 JM1658 KN1869 KY1345 " +
  "LC1758 MP1670 MS1664 PR1787 PR1939 SX1721 TC1649 TT1868 VC1784 VG1284 VI1340";

const CANADA =
  "204 226 236 249 250 257 263 289 306 343 354 365 367 368 382 403 416 418 428 431 437 438 450 460 468 474 506 514 519 " +
  "548 579 581 584 587 600 604 613 622 639 647 672 683 705 709 742 753 778 780 782 807 819 825 867 873 879 902 905 942";

const OTHERS =
  "EG20 SS211 MA212 DZ213 TN216 LY218 GM220 SN221 MR222 ML223 GN224 CI225 BF226 NE227 TG228 BJ229 MU230 LR231 SL232 " +
  "GH233 NG234 TD235 CF236 CM237 CV238 ST239 GQ240 GA241 CG242 CD243 AO244 GW245 IO246 SC248 SD249 RW250 ET251 SO252 " +
  "DJ253 KE254 TZ255 UG256 BI257 MZ258 ZM260 MG261 RE262 ZW263 NA264 MW265 LS266 BW267 SZ268 KM269 ZA27 SH290 ER291 " +
  "AW297 FO298 GL299 GR30 NL31 BE32 FR33 ES34 GI350 PT351 LU352 IE353 IS354 AL355 MT356 CY357 FI358 BG359 HU36 LT370 " +
  "LV371 EE372 MD373 AM374 BY375 AD376 MC377 SM378 VA379 UA380 RS381 ME382 XK383 HR385 SI386 BA387 MK389 IT39 RO40 " +
  "CH41 CZ420 SK421 LI423 AT43 GB44 DK45 SE46 NO47 PL48 DE49 FK500 BZ501 GT502 SV503 HN504 NI505 CR506 PA507 PM508 " +
  "HT509 PE51 MX52 CU53 AR54 BR55 CL56 CO57 VE58 GP590 BO591 GY592 EC593 GF594 PY595 MQ596 SR597 UY598 CW599 MY60 " +
  "AU61 ID62 PH63 NZ64 SG65 TH66 TL670 NF672 BN673 NR674 PG675 TO676 SB677 VU678 FJ679 PW680 WF681 CK682 NU683 WS685 " +
  "KI686 NC687 TV688 PF689 TK690 FM691 MH692 RU7 KZ76 KZ77 JP81 KR82 VN84 KP850 HK852 MO853 KH855 LA856 CN86 BD880 " +
  "TW886 TR90 IN91 PK92 AF93 LK94 MM95 MV960 LB961 JO962 SY963 IQ964 KW965 SA966 YE967 OM968 PS970 AE971 IL972 BH973 " +
  "QA974 BT975 MN976 NP977 IR98 TJ992 TM993 AZ994 GE995 KG996 UZ998";

const CODE_LETTERS = 2;

const byPrefix: ReadonlyMap<string, string> = new Map([
  ["1", "US"],
  ...CANADA.split(" ").map((area): [string, string] => [`1${area}`, "CA"]),
  ...`${ISLANDS} ${OTHERS}`
    .split(" ")
    .map((entry): [string, string] => [entry.slice(CODE_LETTERS), entry.slice(0, CODE_LETTERS)]),
]);

/** ISO 3166-1 alpha-2 codes that a stage can allow. */
export const countries: ReadonlySet<string> = new Set(byPrefix.values());

const LONGEST_PREFIX = 4;

/** Returns an ISO 3166-1 alpha-2 code, or undefined for a number without a country. */
export const findCountry = (phone: string): string | undefined => {
  for (let digits = LONGEST_PREFIX; digits > 0; digits -= 1) {
    const country = byPrefix.get(phone.slice(1, 1 + digits));
    if (country !== undefined) return country;
  }
  return undefined;
};

/** Premium numbers: each call costs extra. AWS refuses messages to unlisted premium numbers, because we set a maximum price. */
const PREMIUM =
  /^\+(?:1900|1976|31(?:900|906|909)|32(?:90|70)|338|34(?:80[3-7]|90[57])|353(?:15[1-9])|39(?:89|1[46])|41(?:90[016])|43(?:9[0-9]{2}|8[12][0-9])|44(?:9|87)|45(?:90)|46(?:900|939|944)|47(?:82)|48(?:70)|49(?:900|13[78]|180)|61(?:190))/;

export const isPremiumNumber = (phone: string): boolean => PREMIUM.test(phone);
