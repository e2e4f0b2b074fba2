import { z } from 'zod'

// What browsers send in forms, as the fields of a form's declaration. What a value must be is the schema's to say:
// these only tell text from lists, and an empty field from a full one.

/** A line of text; absent is empty. */
export const text = z.string().catch('')

/** A line of text that may be left empty: null then. */
export const optionalText = text.transform((value) => (value.trim() === '' ? null : value))

/** The values of checkboxes of one name. */
export const list = z.union([z.string().transform((value) => [value]), z.array(z.string())]).catch([])
