import type { Request, RequestHandler } from 'express'
import { maxFileBytes } from '../../../schema/pictures/encode-picture.ts'
import { createTurns } from '../../../schema/pictures/turns.ts'
import { allowSlowBody } from '../../http/slow-body.ts'

const maxFieldBytes = 64 * 1024

/** One upload needs up to 40 MB until it is stored. Browsers do not send until their body is read. */
const turns = createTurns(2, 50)

/**
 * Reads a form with a file (multipart/form-data, RFC 7578). The file is a Buffer among the fields; it is absent if none was chosen. Without
 * a signed-in user, only the fields are read, which are shown again after the sign-in.
 */
export const readUpload: RequestHandler = async (request, response, next) => {
  if (!request.is('multipart/form-data')) return next()
  const handle = async (maxBytes: number) => {
    // A browser that has disconnected gets no response.
    if (response.closed) return
    const closed = new Promise<void>((resolve) => response.once('close', resolve))
    try {
      request.body = await parseForm(await readBody(request, maxBytes), request.headers['content-type'] ?? '')
    } catch (error) {
      if (!response.closed) next(error)
      return
    }
    next()
    await closed
  }
  if (!response.locals.person) return handle(maxFieldBytes)
  allowSlowBody(request)
  try {
    await turns.take(() => handle(maxFileBytes + maxFieldBytes))
  } catch (error) {
    // Too many uploads are waiting. The rest of the request is dropped, because the browser reads the response only afterwards.
    request.resume()
    next(error)
  }
}

/**
 * Reads the body up to the limit, and its end. A file that is too large lacks its middle and is refused, while the fields before and after
 * it are shown again.
 */
async function readBody(request: Request, maxBytes: number): Promise<Buffer<ArrayBuffer>> {
  const chunks: Buffer[] = []
  let length = 0
  let end = Buffer.alloc(0)
  for await (const chunk of request as AsyncIterable<Buffer>) {
    const missing = Math.max(0, maxBytes - length)
    if (missing > 0) chunks.push(chunk.subarray(0, missing))
    if (chunk.length > missing) end = Buffer.concat([end, chunk.subarray(missing)]).subarray(-maxFieldBytes)
    length += chunk.length
  }
  return Buffer.concat([...chunks, end])
}

async function parseForm(body: Buffer<ArrayBuffer>, contentType: string): Promise<Record<string, unknown>> {
  const [, quoted, plain] = /boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(contentType) ?? []
  const boundary = quoted ?? plain ?? ''
  requireBoundedParts(body, boundary)
  // Only the boundary that was counted is used, without other parameters of the header field.
  const headers = { 'Content-Type': `multipart/form-data; boundary="${boundary}"` }
  const form = await new Response(body, { headers }).formData().catch((cause: unknown) => {
    throw malformed(cause)
  })
  const fields = new Map<string, unknown>()
  for (const [name, value] of form) {
    const previous = fields.get(name)
    if (typeof value === 'string') fields.set(name, previous === undefined ? value : [previous, value].flat())
    else if (value.name !== '' || value.size > 0) fields.set(name, Buffer.from(await value.arrayBuffer()))
  }
  return Object.fromEntries(fields)
}

/** Maximum number of fields of a form, and maximum bytes of the header of each. */
const maxParts = 100
const maxHeaderBytes = 4096

/**
 * Throws for a form with more fields, or longer headers, than a page has. The number of fields, not of bytes, determines the parsing time.
 */
function requireBoundedParts(bytes: Buffer, boundary: string): void {
  const delimiter = `--${boundary}`
  let parts = 0
  for (let start = bytes.indexOf(delimiter); start !== -1; start = bytes.indexOf(delimiter, start + delimiter.length)) {
    const header = bytes.subarray(start + delimiter.length, start + maxHeaderBytes)
    const isEnd = header.toString('latin1', 0, 2) === '--'
    if (++parts > maxParts || (!isEnd && !header.includes('\r\n\r\n'))) throw malformed()
  }
}

/** The error has a status, as those of body-parser do. */
const malformed = (cause?: unknown) => Object.assign(new Error('the form is malformed', { cause }), { status: 400 })
