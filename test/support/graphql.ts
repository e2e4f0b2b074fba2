import { fetchApi } from './fetch-api.ts'
import type { TestService } from './service.ts'

export interface GraphqlAnswer {
  status: number
  headers: Headers
  data: any
  errors: { message: string; path?: (string | number)[]; extensions?: { code: string; errors?: Record<string, string[]> } }[]
}

/** One operation over HTTP. */
export async function graphql(
  { url }: Pick<TestService, 'url'>,
  token: string | null,
  query: string,
  variables: Record<string, unknown> = {},
): Promise<GraphqlAnswer> {
  const response = await fetchApi(`${url}/graphql`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...(token !== null && { Authorization: `Bearer ${token}` }) },
    body: JSON.stringify({ query, variables }),
  })
  const { data = null, errors = [] } = await response.json()
  return { status: response.status, headers: response.headers, data, errors }
}
