import { fetchApi } from './fetch-api.ts'
import type { TestService } from './service.ts'

export interface RequestOptions {
  token?: string
  /** Sent as JSON. */
  body?: unknown
  headers?: Record<string, string>
}

export interface Answer {
  status: number
  headers: Headers
  /** Parsed JSON; null where there is no body. */
  body: any
}

/** One request to a service; its answer is held to the OpenAPI document. */
export async function request(
  { url }: Pick<TestService, 'url'>,
  method: string,
  path: string,
  { token, body, headers }: RequestOptions = {},
): Promise<Answer> {
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
