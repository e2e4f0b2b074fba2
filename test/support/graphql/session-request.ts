import type { Browser } from '../browser/browser.ts'

/** Sends a document to /graphql as a page of the service does, with the session of the browser. Returns the body of the response. */
export async function queryInSession(
  { origin, cookies }: Browser,
  query: string,
  variables: Record<string, unknown> = {},
): Promise<{ data: any; errors?: { message: string; extensions: { code: string } }[] }> {
  const cookie = [...cookies.values()].map(({ name, value }) => `${name}=${value}`).join('; ')
  const headers = { 'content-type': 'application/json', origin, 'sec-fetch-site': 'same-origin', cookie }
  const response = await fetch(`${origin}/graphql`, { method: 'POST', headers, body: JSON.stringify({ query, variables }) })
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the body of a GraphQL response
  return (await response.json()) as Awaited<ReturnType<typeof queryInSession>>
}
