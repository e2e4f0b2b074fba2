import { createHash } from 'node:crypto'
import type { Request, Response } from 'express'
import { isNotModified } from '../../rest-facade/http/conditional.ts'

/**
 * Sends a text that changes only with the service. Clients may cache it and revalidate it each time. Express would ignore `If-None-Match`
 * in requests with `Cache-Control: no-cache`, which `fetch` of Node adds to it.
 */
export function sendText(request: Request, response: Response, type: string, text: string): void {
  const tag = `W/"${createHash('sha256').update(text).digest('base64url')}"`
  response.set({ 'Cache-Control': 'no-cache', ETag: tag, Vary: 'Accept-Encoding', 'X-Content-Type-Options': 'nosniff' })
  if (isNotModified(request, tag)) response.status(304).end()
  else response.type(type).send(text)
}
