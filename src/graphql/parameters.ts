import type { Request, Response } from 'express'
import { readJson } from '../../rest-facade/http/json-body.ts'
import { HttpError } from '../../rest-facade/http/http-error.ts'
import { withPersistedQuery } from './documents/persisted-queries.ts'
import type { ClientDocuments } from './documents/persisted-queries.ts'
import { isRecord } from '../../schema/core/record.ts'

/** Maximum number of operations in one request, which share its budget (limits.ts). */
export const maxBatch = 10

/**
 * Reads the parameters from the JSON body of a POST or the query string of a GET. Yoga validates them. Forms and multipart
 * bodies get 415, because pages of other origins can send them.
 */
export async function readParameters(request: Request, response: Response, documents: ClientDocuments): Promise<unknown> {
  // Yoga refuses other methods.
  if (request.method !== 'POST' && request.method !== 'GET') return {}
  const parameters = request.method === 'POST' ? await readJson(request, response) : listQueryParameters(request)
  if (!Array.isArray(parameters)) return completeParameters(parameters, documents)
  if (parameters.length === 0 || parameters.length > maxBatch) throw new HttpError(400, `A batch has 1 to ${maxBatch} operations.`)
  return parameters.map((each) => completeParameters(each, documents))
}

function completeParameters(parameters: unknown, documents: ClientDocuments): unknown {
  if (!isRecord(parameters)) throw new HttpError(400, 'The parameters must be an object.')
  // GraphQL over HTTP: null has the same effect as absence. Neither yoga nor graphql-js treats it so everywhere.
  const withoutNulls = Object.fromEntries(Object.entries(parameters).filter(([, value]) => value !== null))
  const complete = withPersistedQuery(withoutNulls, documents)
  if (complete.query == null) throw new HttpError(400, 'Must provide query string.')
  return complete
}

function listQueryParameters(request: Request) {
  const search = new URLSearchParams(request.originalUrl.split('?').slice(1).join('?'))
  return {
    query: search.get('query') ?? undefined,
    documentId: search.get('documentId') ?? undefined,
    operationName: search.get('operationName') ?? undefined,
    variables: parseJson(search, 'variables'),
    extensions: parseJson(search, 'extensions'),
  }
}

function parseJson(search: URLSearchParams, name: string): unknown {
  const text = search.get(name)
  if (!text) return undefined
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw cause instanceof SyntaxError ? new HttpError(400, `The query parameter ${name} is not valid JSON.`) : cause
  }
}
