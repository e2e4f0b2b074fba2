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
