interface Format {
  /** The pattern after the prefix, without separators. */
  pattern: RegExp
  example: string
}

/**
 * VAT identification numbers of the European Union and Northern Ireland, by prefix, in the formats of the VAT information exchange system of
 * the European Commission (VIES).
 */
const formats: Readonly<Record<string, Format>> = {
  AT: { pattern: /^U\d{8}$/, example: 'ATU12345678' },
  BE: { pattern: /^[01]\d{9}$/, example: 'BE0123456789' },
  BG: { pattern: /^\d{9,10}$/, example: 'BG123456789' },
  CY: { pattern: /^\d{8}[A-Z]$/, example: 'CY12345678X' },
  CZ: { pattern: /^\d{8,10}$/, example: 'CZ12345678' },
  DE: { pattern: /^\d{9}$/, example: 'DE123456789' },
  DK: { pattern: /^\d{8}$/, example: 'DK12345678' },
  EE: { pattern: /^\d{9}$/, example: 'EE123456789' },
  EL: { pattern: /^\d{9}$/, example: 'EL123456789' },
  ES: { pattern: /^[A-Z\d]\d{7}[A-Z\d]$/, example: 'ESX1234567X' },
  FI: { pattern: /^\d{8}$/, example: 'FI12345678' },
  FR: { pattern: /^[A-Z\d]{2}\d{9}$/, example: 'FR12345678901' },
  HR: { pattern: /^\d{11}$/, example: 'HR12345678901' },
  HU: { pattern: /^\d{8}$/, example: 'HU12345678' },
  IE: { pattern: /^\d[A-Z\d+*]\d{5}[A-Z]{1,2}$/, example: 'IE1234567WA' },
  IT: { pattern: /^\d{11}$/, example: 'IT12345678901' },
  LT: { pattern: /^\d{9}(?:\d{3})?$/, example: 'LT123456789' },
  LU: { pattern: /^\d{8}$/, example: 'LU12345678' },
  LV: { pattern: /^\d{11}$/, example: 'LV12345678901' },
  MT: { pattern: /^\d{8}$/, example: 'MT12345678' },
  NL: { pattern: /^\d{9}B\d{2}$/, example: 'NL123456789B01' },
  PL: { pattern: /^\d{10}$/, example: 'PL1234567890' },
  PT: { pattern: /^\d{9}$/, example: 'PT123456789' },
  RO: { pattern: /^\d{2,10}$/, example: 'RO1234567890' },
  SE: { pattern: /^\d{12}$/, example: 'SE123456789001' },
  SI: { pattern: /^\d{8}$/, example: 'SI12345678' },
  SK: { pattern: /^\d{10}$/, example: 'SK1234567890' },
  XI: { pattern: /^(?:\d{9}|\d{12})$/, example: 'XI123456789' },
}

const countryNames = new Intl.DisplayNames('en', { type: 'region' })
const getCountryName = (prefix: string): string | undefined =>
  prefix === 'EL' ? 'Greece' : prefix === 'XI' ? 'Northern Ireland' : countryNames.of(prefix)

/**
 * Returns why a number in capital letters cannot be the VAT ID of the country that its prefix names, or null. Other tax numbers can begin
 * with the same letters. Those with two or more letters after the prefix are therefore accepted.
 */
export function findVatIdMistake(value: string): string | null {
  const [, prefix = '', number = ''] = /^([A-Z]{2})([A-Z]?\d.*)$/.exec(value.replaceAll(/[ .\-/]/g, '')) ?? []
  const format = Object.hasOwn(formats, prefix) ? formats[prefix] : undefined
  if (!format || format.pattern.test(number)) return null
  return `The :attribute field must have the form of a VAT ID of ${getCountryName(prefix)}, such as ${format.example}.`
}
