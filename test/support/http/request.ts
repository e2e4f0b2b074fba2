import { fetchApi } from './fetch-api.ts'
import type { TestService } from '../service/service.ts'

export interface RequestOptions {
  token?: string
  /** Sent as JSON. */
  body?: unknown
  headers?: Record<string, string>
}

export interface RestResponse {
  status: number
  headers: Headers
  /** Parsed JSON; null without a body. */
  body: any
}

/** Sends a REST request and validates the response against the OpenAPI document. */
export async function request(
  { url }: Pick<TestService, 'url'>,
  method: string,
  path: string,
  { token, body, headers }: RequestOptions = {},
): Promise<RestResponse> {
  const response = await fetchApi(url + path, {
    method,
    headers: {
      Accept: 'application/json',
      ...(token !== undefined && { Authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: text === '' ? null : JSON.parse(text) }
}
