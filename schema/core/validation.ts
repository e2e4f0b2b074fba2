import { domainToASCII } from 'node:url'
import { z } from 'zod'
import { invalid, isTaken } from './errors.ts'
import type { FieldErrors } from './errors.ts'
import { canReceiveMail } from './mails/placeholder-address.ts'

// These are Laravel's validation messages, which clients show to users (docs/decisions/errors.md#validation-messages).

/** Converts `per_page` and `perPage` to "per page", as Laravel displays an attribute. */
export const attributeName = (key: string) =>
  key
    .replace(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .replaceAll('_', ' ')
    .toLowerCase()

export const required = 'The :attribute field is required.'
export const invalidChoice = 'The selected :attribute is invalid.'
export const taken = 'The :attribute has already been taken.'

/** Returns the message of an issue, with `:attribute` in place of the attribute's name. */
function getIssueMessage(issue: z.core.$ZodIssue, value: unknown): string {
  switch (issue.code) {
    case 'invalid_type':
      if (value === undefined || value === null) return required
      return `The :attribute field must be ${typeNames[issue.expected] ?? `a ${issue.expected}`}.`
    case 'invalid_value':
      return value === undefined || value === null ? required : invalidChoice
    case 'too_small':
      if (issue.origin === 'string' && issue.minimum === 1) return required
      return `The :attribute field must ${bounds[issue.origin]?.min(Number(issue.minimum)) ?? `be at least ${issue.minimum}`}.`
    case 'too_big':
      return `The :attribute field must ${bounds[issue.origin]?.max(Number(issue.maximum)) ?? `not be greater than ${issue.maximum}`}.`
    case 'custom':
    case 'invalid_format':
      return issue.message.includes(':attribute') ? issue.message : 'The :attribute field format is invalid.'
    default:
      return 'The :attribute field is invalid.'
  }
}

const typeNames: Record<string, string> = {
  string: 'a string',
  int: 'an integer',
  number: 'an integer', // All numbers in requests are integers.
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
}
const bounds: Record<string, { min(n: number): string; max(n: number): string }> = {
  string: { min: (n) => `be at least ${n} characters`, max: (n) => `not be greater than ${n} characters` },
  array: { min: (n) => `have at least ${n} items`, max: (n) => `not have more than ${n} items` },
}

/**
 * Text that PostgreSQL can store and JSON can represent: no NUL, no lone surrogate. Every string of a request is based on it, so that no
 * statement fails on such a value.
 */
export const text = z.string().refine((value) => value.isWellFormed() && !value.includes('\0'), {
  message: 'The :attribute field contains characters that cannot be stored.',
  abort: true,
})

/** Control characters and line breaks, with which a name could imitate lines of a mail, a log or a terminal. */
const breaksLine = /[\p{Cc}\u2028\u2029]/u
// White space and invisible characters, such as joiners and fillers. The blank Braille pattern is a symbol to Unicode.
const showsNothing = /^[\s\p{Default_Ignorable_Code_Point}\p{Cf}\u2800]+$/u

/** Returns true if a name has a visible character and fits on one line. */
export const isVisible = (name: string) => !showsNothing.test(name)
export const isOneLine = (name: string) => !breaksLine.test(name)

/** A name that users see: 1 to 255 characters on one line after trimming, counted in code points instead of UTF-16 units. */
export const displayName = text
  .trim()
  .min(1)
  .refine(isVisible, 'The :attribute field must contain a visible character.')
  .refine(isOneLine, 'The :attribute field must not contain line breaks or control characters.')
  .refine((value) => value.length <= 255 || Array.from(value).length <= 255, {
    message: 'The :attribute field must not be greater than 255 characters.',
  })
  .meta({ minLength: 1, maxLength: 255 })

// zod's own pattern rejects addresses with non-ASCII characters (RFC 6531). Control and format characters are rejected:
// they are invisible, so two accounts could look alike.
const atom = String.raw`[^\s@"(),:;<>\[\]\\.\p{Cc}\p{Cf}]+`
const label = String.raw`(?!-)[^\s@"(),:;<>\[\]\\.\p{Cc}\p{Cf}]{1,63}(?<!-)`
const addressPattern = new RegExp(String.raw`^(?=.{1,64}@)${atom}(?:\.${atom})*@(?:${label}\.)+${label}$`, 'u')

/**
 * Returns the one form in which an email address is compared and stored. It is trimmed, in lower case and Unicode's composed form (NFC),
 * with the domain in ASCII as in DNS (RFC 5890). `Ü` typed as one character or as two, and `münchen.example` or `xn--mnchen-3ya.example`,
 * are one address. The function does not check that the value is an address.
 */
export function normalizeEmail(value: string): string {
  const address = value.trim().normalize('NFC').toLowerCase().normalize('NFC')
  const start = address.lastIndexOf('@') + 1
  const domain = address.slice(start)
  // `domainToASCII` parses its argument as the host of a URL: it would cut off a path, and decode `%41`.
  const isHostName = start > 0 && /[\u0080-\u{10ffff}]/u.test(domain) && /^[a-z\d.\-\u0080-\u{10ffff}]+$/u.test(domain)
  return isHostName ? address.slice(0, start) + (domainToASCII(domain) || domain) : address
}

/** An email address, in the form of `normalizeEmail`, of at most 254 characters (RFC 5321). */
export const emailAddress = text
  .overwrite(normalizeEmail)
  .min(1, { abort: true })
  .max(254)
  .regex(addressPattern, 'The :attribute field must be a valid email address.')
  .meta({ type: 'string', format: 'email', maxLength: 254, pattern: undefined })

/** An email address to which the service can send mail. The address of an existing account is an `emailAddress`. */
export const mailAddress = emailAddress.refine(canReceiveMail, 'The :attribute field must be an email address that can receive mail.')

/** Returns true if a string has the form of the identifiers that this service issues. Any other string identifies nothing. */
export const isIdentifier = (id: string) => identifierPattern.test(id)
const identifierPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Parses a value, or throws `validation_failed` with the messages of each invalid parameter. */
export function parse<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  throw refused(listTemplates(result.error.issues, value))
}

/** Returns an error with these messages. Replaces `:attribute` by the name of the parameter. */
export function refused(templates: FieldErrors) {
  const named = Object.entries(templates).map(([key, messages]): [string, string[]] => {
    const name = attributeName(key)
    return [key, messages.map((message) => message.replaceAll(':attribute', name))]
  })
  return invalid(Object.fromEntries(named), 'validation_failed', templates)
}

/**
 * Runs a write and reports a violated unique constraint as a validation error of `field`, with this message. Unlike a read before the
 * write, this works under concurrent requests too.
 */
export async function unlessTaken<Result>(field: string, write: Promise<Result>, message = taken): Promise<Result> {
  try {
    return await write
  } catch (error) {
    if (isTaken(error)) throw refused({ [field]: [message] })
    throw error
  }
}

/** The limit is needed because a list of thousands of invalid values would have a message for each. */
const maxIssues = 100

function listTemplates(issues: readonly z.core.$ZodIssue[], value: unknown): FieldErrors {
  const errors: FieldErrors = {}
  for (const issue of issues.slice(0, maxIssues)) {
    const key = issue.path.map(String).join('.') || 'body'
    const messages = (errors[key] ??= [])
    const message = getIssueMessage(issue, valueAt(value, issue.path))
    if (!messages.includes(message)) messages.push(message)
  }
  return errors
}

const valueAt = (value: unknown, path: PropertyKey[]) =>
  path.reduce<unknown>((inner, key) => (typeof inner === 'object' && inner !== null ? Reflect.get(inner, key) : undefined), value)
