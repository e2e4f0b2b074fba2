import type { z } from 'zod'

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
export function getIssueMessage(issue: z.core.$ZodIssue, value: unknown): string {
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
