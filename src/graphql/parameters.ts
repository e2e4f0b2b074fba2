import type { Request, Response } from 'express'
import { readJson } from '../../rest-facade/body.ts'
import { HttpError } from '../../rest-facade/http-error.ts'

/**
 * What a request asks for: the JSON body of a POST, the query string of a GET; yoga judges the members. Forms and
 * multipart, which yoga would read by itself, are 415: a foreign page can make a browser send them.
 */
export async function readParameters(request: Request, response: Response): Promise<unknown> {
  // Other methods yoga refuses, whatever they carry.
  if (request.method !== 'POST' && request.method !== 'GET') return {}
  const parameters = request.method === 'POST' ? await readJson(request, response) : parametersOf(request)
  if (isRecord(parameters) && parameters.query == null) throw new HttpError(400, 'Must provide query string.')
  return parameters
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)

function parametersOf(request: Request) {
  const search = new URLSearchParams(request.originalUrl.split('?').slice(1).join('?'))
  return {
    query: search.get('query') ?? undefined,
    operationName: search.get('operationName') ?? undefined,
    variables: json(search, 'variables'),
    extensions: json(search, 'extensions'),
  }
}

function json(search: URLSearchParams, name: string): unknown {
  const text = search.get(name)
  if (!text) return undefined
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw cause instanceof SyntaxError ? new HttpError(400, `The query parameter ${name} is not valid JSON.`) : cause
  }
}
