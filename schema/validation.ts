import { z } from 'zod'
import { invalid, isTaken } from './errors.ts'
import type { FieldErrors } from './errors.ts'

// What a value from outside must be, and Laravel's words where it is not (decisions §2): its clients show them.

/**
 * Text PostgreSQL can store and JSON can carry: no NUL, no lone surrogate. Every string from outside is built on
 * it, so that neither ever reaches a statement.
 */
export const text = z.string().refine((value) => value.isWellFormed() && !value.includes('\0'), {
  message: 'The :attribute field contains characters that cannot be stored.',
  abort: true,
})

/** A name people see: 1 to 255 characters after trimming. Code points count, not UTF-16 units. */
export const displayName = text
  .trim()
  .min(1)
  .refine((value) => value.length <= 255 || Array.from(value).length <= 255, {
    message: 'The :attribute field must not be greater than 255 characters.',
  })
  .meta({ minLength: 1, maxLength: 255 })

// zod's own pattern refuses addresses beyond ASCII (RFC 6531), which people have. Characters that nobody sees are
// refused: with them two accounts could look alike.
const atom = String.raw`[^\s@"(),:;<>\[\]\\.\p{Cc}\p{Cf}]+`
const label = String.raw`(?!-)[^\s@"(),:;<>\[\]\\.\p{Cc}\p{Cf}]{1,63}(?<!-)`
const addressPattern = new RegExp(String.raw`^(?=.{1,64}@)${atom}(?:\.${atom})*@(?:${label}\.)+${label}$`, 'u')

/** An e-mail address as it is compared and stored: trimmed, lower case, at most 254 characters (RFC 5321). */
export const emailAddress = text
  .trim()
  .toLowerCase()
  .min(1, { abort: true })
  .max(254)
  .regex(addressPattern, 'The :attribute field must be a valid email address.')
  .meta({ type: 'string', format: 'email', maxLength: 254, pattern: undefined })

/** True for the form of the identifiers this service gives; anything else names nothing. */
export const isIdentifier = (id: string) => identifierPattern.test(id)
const identifierPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Parses, or throws `validation_failed` with one message or more for each parameter at fault. */
export function parse<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  throw invalid(fieldErrors(result.error.issues, value))
}

/** Runs a write; a unique constraint that it meets refuses `field`: also when two ask at once, unlike a look before. */
export async function unlessTaken<Result>(field: string, write: Promise<Result>): Promise<Result> {
  try {
    return await write
  } catch (error) {
    if (isTaken(error)) throw invalid({ [field]: [`The ${attribute(field)} has already been taken.`] })
    throw error
  }
}

function fieldErrors(issues: readonly z.core.$ZodIssue[], value: unknown): FieldErrors {
  const errors: FieldErrors = {}
  for (const issue of issues) {
    const key = issue.path.map(String).join('.') || 'body'
    const messages = (errors[key] ??= [])
    const message = describe(issue, at(value, issue.path)).replaceAll(':attribute', attribute(key))
    if (!messages.includes(message)) messages.push(message)
  }
  return errors
}

const at = (value: unknown, path: PropertyKey[]) =>
  path.reduce<unknown>((inner, key) => (inner as Record<PropertyKey, unknown> | null | undefined)?.[key], value)

/** `per_page` and `perPage` → "per page", as Laravel displays an attribute. */
const attribute = (key: string) =>
  key
    .replace(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .replaceAll('_', ' ')
    .toLowerCase()

function describe(issue: z.core.$ZodIssue, value: unknown): string {
  switch (issue.code) {
    case 'invalid_type':
      if (value === undefined || value === null) return 'The :attribute field is required.'
      return `The :attribute field must be ${kinds[issue.expected] ?? `a ${issue.expected}`}.`
    case 'invalid_value':
      return value === undefined || value === null ? 'The :attribute field is required.' : 'The selected :attribute is invalid.'
    case 'too_small':
      if (issue.origin === 'string' && issue.minimum === 1) return 'The :attribute field is required.'
      return `The :attribute field must ${bounds[issue.origin]?.least(Number(issue.minimum)) ?? `be at least ${issue.minimum}`}.`
    case 'too_big':
      return `The :attribute field must ${bounds[issue.origin]?.most(Number(issue.maximum)) ?? `not be greater than ${issue.maximum}`}.`
    case 'custom':
    case 'invalid_format':
      return issue.message.includes(':attribute') ? issue.message : 'The :attribute field format is invalid.'
    default:
      return 'The :attribute field is invalid.'
  }
}

const kinds: Record<string, string> = {
  string: 'a string',
  int: 'an integer',
  number: 'an integer', // no other numbers are asked for
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
}
const bounds: Record<string, { least(n: number): string; most(n: number): string }> = {
  string: { least: (n) => `be at least ${n} characters`, most: (n) => `not be greater than ${n} characters` },
  array: { least: (n) => `have at least ${n} items`, most: (n) => `not have more than ${n} items` },
}
