import { HttpError } from './http-error.ts'

/** Maximum number of values in a JSON body: objects, lists, and the texts, numbers, booleans and nulls in them. */
const maxValues = 100_000

const quote = 0x22
const comma = 0x2c
const backslash = 0x5c
const isOpener = (code: number) => code === 0x7b || code === 0x5b
const isCloser = (code: number) => code === 0x7d || code === 0x5d
const isBlank = (code: number) => code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09

/**
 * Throws 413 for a JSON text with too many values, without parsing it. The number of values, not of bytes, determines the time that all
 * further steps take. For a text that is not JSON, the result has no meaning.
 */
export function requireBoundedValues(text: string): void {
  // A text of n characters contains at most (n + 1) / 2 values. Only directories send longer texts.
  if (text.length <= 2 * maxValues) return
  let values = 1
  let previous = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (isBlank(code)) continue
    if (code === quote) at = findEndOfText(text, at)
    // The first value of an object or a list follows its bracket, and each further value follows a comma.
    else if (code === comma || isOpener(code)) values++
    else if (isCloser(code) && isOpener(previous)) values--
    previous = code
    if (values > maxValues) throw new HttpError(413, `The request body has more than ${maxValues.toLocaleString('en')} JSON values.`)
  }
}

/** Returns the position of the quotation mark that ends a text. */
function findEndOfText(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) return at
    if (code === backslash) at++
  }
  return text.length
}
