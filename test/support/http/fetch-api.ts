import { openApiDocument } from '../../../rest-facade/openapi/document.ts'
import { createContractAssertion } from './contract.ts'

// The URLs in the document do not affect the check. served.test.ts checks that the service publishes this document.
const assertContract = createContractAssertion(openApiDocument({ publicUrl: 'http://localhost' }))

/** `fetch` that throws if the response of a documented operation does not match the OpenAPI document. */
export async function fetchApi(url: string, init: RequestInit = {}): Promise<Response> {
  const response = await fetch(url, init)
  const { status, headers } = response
  assertContract({ method: init.method ?? 'GET', path: new URL(url).pathname, status, headers, text: await response.clone().text() })
  return response
}
