import { z } from 'zod'

// Types of submitted form fields. They only distinguish texts from lists, and empty fields from filled ones. The GraphQL schema validates
// the values.

/** A text. A missing field is the empty text. */
export const text = z.string().catch('')

/** An optional text. A blank field is null. */
export const optionalText = text.transform((value) => (value.trim() === '' ? null : value))

/** A number of seconds. Any other text becomes a number that the schema refuses. */
export const seconds = text.transform((value) => (/^\d{1,7}$/.test(value) ? Number(value) : -1))

/** A chosen file in base64; undefined if none was chosen. */
export const file = z
  .instanceof(Buffer)
  .transform((bytes) => bytes.toString('base64'))
  .optional()
  .catch(undefined)

/** A single checkbox: true if it is ticked. */
export const checkbox = z.literal('true').transform(Boolean).catch(false)

/** The selected values of checkboxes with the same name. */
export const list = z.union([z.string().transform((value) => [value]), z.array(z.string())]).catch([])
