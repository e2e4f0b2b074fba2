import { fetchApi } from './fetch-api.ts'
import type { TestService } from '../service/service.ts'

export interface GraphqlResponse {
  status: number
  headers: Headers
  data: any
  errors: {
    message: string
    path?: (string | number)[]
    extensions?: { code: string; request_id: string; errors?: Record<string, string[]> }
  }[]
}

/** `extensions` of a response whose document was refused before its cost was computed. */
export const noCost = { cost: { requested: 0, limit: 50_000, remaining: 50_000 } }

/** Sends an operation to the GraphQL endpoint. */
export async function graphql(
  { url }: Pick<TestService, 'url'>,
  token: string | null,
  query: string,
  variables: Record<string, unknown> = {},
): Promise<GraphqlResponse> {
  const response = await fetchApi(`${url}/graphql`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...(token !== null && { Authorization: `Bearer ${token}` }) },
    body: JSON.stringify({ query, variables }),
  })
  const { data = null, errors = [] } = await response.json()
  return { status: response.status, headers: response.headers, data, errors }
}
