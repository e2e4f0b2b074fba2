import type { Request, RequestHandler } from 'express'
import { maxFileBytes } from '../../../schema/pictures/encode-picture.ts'
import { createTurns } from '../../../schema/pictures/turns.ts'
import { allowSlowBody } from '../../http/slow-body.ts'

const maxFieldBytes = 64 * 1024

/** One upload needs up to 40 MB until it is stored. Browsers wait with sending until their body is read. */
const turns = createTurns(2, 50)

/**
 * Reads a form with a file (multipart/form-data, RFC 7578). The file is a Buffer among the fields; it is absent if none was chosen. Of a user
 * who is not signed in, only the fields are read, which are shown again after the sign-in.
 */
export const readUpload: RequestHandler = async (request, response, next) => {
  if (!request.is('multipart/form-data')) return next()
  const handle = async (maxBytes: number) => {
    // A browser that has gone away gets no response.
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
    // Too many are waiting. What the browser still sends is dropped, since it reads the response only then.
    request.resume()
    next(error)
  }
}

/**
 * The body without what exceeds the limit. The file is the last field of a form, so that it is cut, and refused for its size, while the
 * other fields are shown again.
 */
async function readBody(request: Request, maxBytes: number): Promise<{ bytes: Buffer<ArrayBuffer>; isCut: boolean }> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    if (length < maxBytes) chunks.push(chunk.subarray(0, maxBytes - length))
    length += chunk.length
  }
  return { bytes: Buffer.concat(chunks), isCut: length > maxBytes }
}

async function parseForm({ bytes, isCut }: Awaited<ReturnType<typeof readBody>>, contentType: string): Promise<Record<string, unknown>> {
  const [, quoted, plain] = /boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(contentType) ?? []
  const body = isCut ? Buffer.concat([bytes, Buffer.from(`\r\n--${quoted ?? plain}--\r\n`)]) : bytes
  const form = await new Response(body, { headers: { 'Content-Type': contentType } }).formData().catch((cause: unknown) => {
    // With a status, as body-parser reports it.
    throw Object.assign(new Error('the form is malformed', { cause }), { status: 400 })
  })
  const fields = new Map<string, unknown>()
  for (const [name, value] of form) {
    const previous = fields.get(name)
    if (typeof value === 'string') fields.set(name, previous === undefined ? value : [previous, value].flat())
    else if (value.name !== '' || value.size > 0) fields.set(name, Buffer.from(await value.arrayBuffer()))
  }
  return Object.fromEntries(fields)
}
