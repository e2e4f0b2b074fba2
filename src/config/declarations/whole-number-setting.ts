import { metadata } from './setting-metadata.ts'
import { integer } from './setting-types.ts'

/** Returns a function that declares a setting whose value is a whole number in this range, with its default. */
export const wholeNumberSetting = (minimum: number, maximum: number) => (variable: string, value: number, description: string) =>
  integer(minimum, maximum).prefault(String(value)).register(metadata, { variable, description })
