import { z } from 'zod'
import { displayName, text } from '../../../schema/validation.ts'

// What the members of records are, where the schema has no rule of its own: it never takes these from outside.

const dateWords = 'The :attribute field must be a date of the calendar such as 2026-01-31.'
const instantWords = 'The :attribute field must be an RFC 3339 instant such as 2026-01-31T09:30:00Z.'

/** PostgreSQL and JSON agree on the years 1 to 9999. */
const hasCommonYear = (iso: string) => /^(?!0000)\d{4}-/.test(iso)

/** A date of the calendar, `YYYY-MM-DD`. */
export const calendarDate = z.iso.date({ error: dateWords, abort: true }).refine(hasCommonYear, dateWords)

/** An instant with any offset, as it is stored: in UTC, to the millisecond. */
export const instant = z.iso
  .datetime({ offset: true, error: instantWords, abort: true })
  .transform((value) => new Date(value).toISOString())
  .refine(hasCommonYear, instantWords)

/** An amount in minor units that JSON carries exactly. */
export const amount = z.int()
export const positiveAmount = z.int().min(0)

/** PostgreSQL's integer. */
export const quantity = z
  .int()
  .min(0)
  .max(2 ** 31 - 1)

const currencies = new Set(Intl.supportedValuesOf('currency').map((code) => code.toLowerCase()))
export const currency = text.refine(
  (code) => currencies.has(code),
  'The :attribute field must be an ISO 4217 code in lower case such as eur.',
)

/** A number or name on paper: what people see of it, trimmed. */
export const invoiceNumber = displayName

/** An address a person can be sent to; any other scheme could run as a script in the page that shows it. */
export const webAddress = text.refine(
  (value) => /^https?:\/\//.test(value) && URL.canParse(value),
  'The :attribute field must be an http or https address.',
)

export const sha256Hex = text.toLowerCase().regex(/^[0-9a-f]{64}$/, 'The :attribute field must be 64 hexadecimal digits.')
