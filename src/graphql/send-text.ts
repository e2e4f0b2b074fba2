import { createHash } from 'node:crypto'
import type { Request, Response } from 'express'

/** Sends a text that changes only with the service: browsers keep it and ask whether it is still the same (RFC 9110 §13.1.2). */
export function sendText(request: Request, response: Response, type: string, text: string): void {
  const tag = `W/"${createHash('sha256').update(text).digest('base64url')}"`
  response.set({ 'Cache-Control': 'no-cache', ETag: tag, Vary: 'Accept-Encoding', 'X-Content-Type-Options': 'nosniff' })
  if (request.headers['if-none-match'] === tag) response.status(304).end()
  else response.type(type).send(text)
}
