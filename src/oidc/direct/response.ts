import type { Response } from 'express'

/** Sends a JSON response with the header fields that oidc-provider sends to a caller that is not a page. */
export function sendDirectly(response: Response, body: object): void {
  const text = JSON.stringify(body)
  response.writeHead(200, { ...headers, 'Content-Length': Buffer.byteLength(text) }).end(text)
}

const headers = {
  Vary: 'Origin',
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': 'WWW-Authenticate',
  'Cache-Control': 'no-store',
  'Content-Type': 'application/json; charset=utf-8',
}
