import { isUtf8 } from 'node:buffer'
import express from 'express'
import type { Request, Response } from 'express'
import { HttpError } from './http-error.ts'

/** Maximum size of a JSON body (docs/decisions/errors.md#order-of-refusal). */
const maxBodyBytes = 100 * 1024

// Rejects compressed bodies: 100 KiB need no compression, and decompression would cost work before any check. Reads the body as a text, so
// that its values are counted before it is parsed.
const bodyReader = (limit: number) =>
  express.text({
    limit,
    inflate: false,
    defaultCharset: 'utf-8',
    type: () => true,
    verify(_, __, body, encoding) {
      if (!encoding.startsWith('utf-')) throw new HttpError(415)
      // Decoding would replace invalid bytes, and the service would store a text that the client did not send (RFC 8259 §8.1).
      if (encoding === 'utf-8' && !isUtf8(body)) throw new HttpError(400)
    },
  })

/** Readers by their limit. */
const readers = new Map<number, ReturnType<typeof bodyReader>>()

/** Returns the JSON body, or `{}` if there is none. Throws 400, 413 or 415 as an `HttpError`. */
export async function readJson(request: Request, response: Response, maxBytes = maxBodyBytes): Promise<unknown> {
  const hasBody = request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0
  if (!hasBody) return {}
  if (!request.is(['application/json', 'application/*+json'])) throw new HttpError(415)
  // Clients also write this name of UTF-8, which body-parser does not support.
  const type = request.headers['content-type']
  if (type !== undefined) request.headers['content-type'] = type.replace(/;\s*charset="?utf8"?/i, '; charset=utf-8')
  const readBody = readers.get(maxBytes) ?? bodyReader(maxBytes)
  readers.set(maxBytes, readBody)
  await new Promise<void>((resolve, reject) => {
    readBody(request, response, (error?: unknown) => (error === undefined ? resolve() : reject(getHttpError(error))))
  })
  return parseJson(typeof request.body === 'string' ? request.body : '')
}

function parseJson(text: string): unknown {
  if (text === '') return {}
  requireBoundedValues(text)
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw cause instanceof SyntaxError ? notJson() : cause
  }
}

const notJson = () => new HttpError(400, 'The request body is not valid JSON.')

/** Converts an error of body-parser, which has a status code. Any other 4xx means that the body is not readable as a text. */
function getHttpError(error: unknown): unknown {
  const status = error instanceof Error && 'status' in error ? error.status : undefined
  if (status === 413 || status === 415) return new HttpError(status)
  return typeof status === 'number' && status < 500 ? notJson() : error
}

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
function requireBoundedValues(text: string): void {
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
