import express from 'express'
import type { Request, Response } from 'express'
import { HttpError } from './http-error.ts'

/** Bytes of a JSON body at most (decisions §1). */
const bodyLimit = 100 * 1024

// Compressed bodies are refused: nobody needs to send 100 KiB smaller, and inflating is work for a stranger.
const readBody = express.json({ limit: bodyLimit, strict: false, inflate: false, type: () => true })

/** The JSON body, `{}` where there is none; throws 400, 413 or 415 as an `HttpError`. */
export async function readJson(request: Request, response: Response): Promise<unknown> {
  const hasBody = request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0
  if (!hasBody) return {}
  if (!request.is(['application/json', 'application/*+json'])) throw new HttpError(415)
  await new Promise<void>((resolve, reject) => {
    readBody(request, response, (error?: unknown) => (error === undefined ? resolve() : reject(httpErrorOf(error))))
  })
  return request.body as unknown
}

/** body-parser's own errors say a status code; what is not one of ours is a body that cannot be read. */
function httpErrorOf(error: unknown): unknown {
  const { status } = error as { status?: unknown }
  if (status === 413 || status === 415) return new HttpError(status)
  return typeof status === 'number' && status < 500 ? new HttpError(400, 'The request body is not valid JSON.') : error
}
