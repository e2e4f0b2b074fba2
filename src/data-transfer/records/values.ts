import { z } from 'zod'
import { accessColumns, applicationAccess } from '../../../schema/apps/application.ts'
import { displayName, text } from '../../../schema/core/validation.ts'
import { optional, storedIn } from './storage.ts'

// Schemas for members that only import accepts. All others come from schema/.

const dateMessage = 'The :attribute field must be a date of the calendar such as 2026-01-31.'
const instantMessage = 'The :attribute field must be an RFC 3339 instant such as 2026-01-31T09:30:00Z.'

/** Returns true for the years 1 to 9999, which PostgreSQL and JSON write in the same way. */
const hasCommonYear = (iso: string) => /^(?!0000)\d{4}-/.test(iso)

/** A calendar date, `YYYY-MM-DD`. */
export const calendarDate = z.iso.date({ error: dateMessage, abort: true }).refine(hasCommonYear, dateMessage)

/** An instant with any offset, converted to UTC with milliseconds. */
export const instant = z.iso
  .datetime({ offset: true, error: instantMessage, abort: true })
  .transform((value) => new Date(value).toISOString())
  .refine(hasCommonYear, instantMessage)

/** An amount in minor units that JSON represents exactly. */
export const amount = z.int()
export const positiveAmount = z.int().min(0)

/** A PostgreSQL `integer`. */
export const quantity = z
  .int()
  .min(0)
  .max(2 ** 31 - 1)

/** A rate in percent, with as many decimal places as are stored. */
export const taxRate = z
  .number()
  .min(0)
  .max(100)
  .refine((rate) => Math.round(rate * 1000) / 1000 === rate, 'The :attribute field must have at most three decimal places.')

const currencies = new Set(Intl.supportedValuesOf('currency').map((code) => code.toLowerCase()))
export const currency = text.refine(
  (code) => currencies.has(code),
  'The :attribute field must be an ISO 4217 code in lower case such as eur.',
)

/** The number that an invoice shows, trimmed. */
export const invoiceNumber = displayName

/** An address for links, without line breaks and tabs, which parsers skip. Other schemes, such as `javascript:`, could run scripts. */
export const webAddress = text
  .overwrite((value) => value.replaceAll(/[\t\n\r]/g, ''))
  .refine((value) => /^https?:\/\//.test(value) && URL.canParse(value), 'The :attribute field must be an http or https address.')

/** Returns SQL for the picture of a user or the logo of a team: its WebP file in base64. An import converts other files to WebP. */
export const selectPicture = (owner: 'user' | 'team') => (alias: string) =>
  `(SELECT replace(encode(large, 'base64'), E'\\n', '') FROM pictures WHERE ${owner}_id = ${alias}.id)`

export const sha256Hex = text.toLowerCase().regex(/^[0-9a-f]{64}$/, 'The :attribute field must be 64 hexadecimal digits.')

interface Period {
  period_start?: string | undefined
  period_end?: string | undefined
}

/** Refuses a period that ends before it starts. Calendar dates compare as text. */
export function checkPeriod({ period_start: start, period_end: end }: Period, { addIssue }: z.core.$RefinementCtx<Period>): void {
  if (start && end && end < start)
    addIssue({ code: 'custom', path: ['period_end'], message: 'The :attribute field must not be before the period start.', input: end })
}

export const uuid = text.toLowerCase().regex(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, 'The :attribute field must be a UUID.')

/** Products that the members of a team or group can use; absent for all. */
export const accessibleApps = storedIn({ all_applications: 'boolean', applications: '"Application"[]' }, optional(applicationAccess), {
  toColumns(ids) {
    const { allApplications, applications } = accessColumns(ids ?? null)
    return { all_applications: allApplications, applications }
  },
  select: (alias) => `CASE WHEN NOT ${alias}.all_applications THEN to_json(${alias}.applications) END`,
})
