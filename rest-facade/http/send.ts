import { STATUS_CODES } from 'node:http'
import type { OutgoingHttpHeaders } from 'node:http'
import type { RequestHandler, Response } from 'express'
import { observe } from '../../schema/core/observation/observation.ts'
import type { Problem } from './problem.ts'

// A response is for one caller at one time, so caches must not store it. Browsers must not sniff another content type.
const commonHeaders = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff', Vary: 'Accept-Encoding' }
const jsonType = 'application/json'

/**
 * Sends a JSON response, or no content if the body is undefined. It does not call `response.json`, because Express would compute an ETag,
 * which costs as much as the rest of the façade.
 */
export function sendJson(response: Response, status: number, body: unknown, type = jsonType): void {
  if (body === undefined) response.writeHead(status, response.locals.fields).end()
  else sendSerialized(response, status, JSON.stringify(body), type)
}

/** Sends a text of this media type. */
export function sendSerialized(response: Response, status: number, text: string, type: string): void {
  sendText(response, status, text, { 'Content-Type': type, ...commonHeaders })
}

/** Sends the response for a resource whose current version the client already has. */
export function sendNotModified(response: Response): void {
  response.writeHead(304, Object.assign(response.locals.fields, commonHeaders)).end()
}

/** The media type of RFC 9457, for clients whose `Accept` prefers it to JSON. */
export const problemType = 'application/problem+json'

export function sendProblem(response: Response, { status, headers, body }: Problem, api: 'rest' | 'mcp' = 'rest'): void {
  observe('refusal', { api, code: String(body.code) })
  const type = response.req.accepts([jsonType, problemType]) === problemType ? problemType : jsonType
  const text = JSON.stringify(type === problemType ? { ...problemMembers(status), ...body } : body)
  sendText(response, status, text, { ...commonHeaders, ...headers, 'Content-Type': type, Vary: 'Accept, Accept-Encoding' })
}

/** The members of RFC 9457. `about:blank` means that the type adds nothing to the status code (RFC 9457 §4.2.1); `code` is specific. */
export const problemMembers = (status: number) => ({ type: 'about:blank', title: titles[status] ?? STATUS_CODES[status], status })
const titles: Record<number, string> = { 413: 'Content Too Large', 422: 'Unprocessable Content' }

function sendText(response: Response, status: number, text: string, headers: OutgoingHttpHeaders): void {
  const fields = Object.assign(response.locals.fields, headers, { 'Content-Length': Buffer.byteLength(text) })
  response.writeHead(status, fields).end(text)
}

/** Sets the header fields of middleware on the response. Mount it in front of handlers that do not use the functions above. */
export const setCollectedFields: RequestHandler = (_, response, next) => {
  for (const [name, value] of Object.entries(response.locals.fields)) if (value !== undefined) response.setHeader(name, value)
  response.locals.fields = {}
  next()
}
