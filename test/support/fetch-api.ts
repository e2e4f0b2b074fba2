import { openApiDocument } from '../../rest-facade/openapi.ts'
import { createContract } from './contract.ts'

// Addresses do not matter to what is checked; that this is the document services publish is proven in openapi.test.ts.
const holdToContract = createContract(openApiDocument({ publicUrl: 'http://localhost' }))

/** `fetch`, which throws when the answer of a documented operation does not fit the OpenAPI document. */
export async function fetchApi(url: string, init: RequestInit = {}): Promise<Response> {
  const response = await fetch(url, init)
  const { status, headers } = response
  holdToContract({ method: init.method ?? 'GET', path: new URL(url).pathname, status, headers, text: await response.clone().text() })
  return response
}
