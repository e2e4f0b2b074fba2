import { z } from 'zod'
import { statement } from '../../../prisma/statement/statement.ts'
import type { Ports } from '../../core/ports.ts'
import { providerAssertion, ProviderError } from '../protocol.ts'
import type { ProviderAssertion } from '../protocol.ts'
import type { StoredProvider } from '../stored-provider.ts'
import { readAssertion } from './attributes.ts'
import { checkAssertion, checkResponse } from './check-assertion.ts'
import { decodeResponse, parseResponse, requireSuccess } from './response.ts'
import { verifySignatures } from './signed-assertion.ts'

type ReceivePorts = Pick<Ports, 'database' | 'now' | 'authUrl'>

interface OpenRequest {
  id: string
  createdAt: string
  purpose: string
}

// Both statements exclude a request with a response. In SAML, the response is stored until the browser returns.
const findOpenRequest = statement<OpenRequest, [id: string, providerId: string, now: Date]>(
  'open_saml_request',
  `SELECT id, created_at AS "createdAt", purpose FROM sign_in_requests
  WHERE id = $1 AND provider_id = $2 AND expires_at > $3 AND answered_at IS NULL AND answer IS NULL`,
)
const storeResponse = statement<object, [id: string, answer: string]>(
  'store_saml_answer',
  `UPDATE sign_in_requests SET answer = $2::jsonb WHERE id = $1 AND answered_at IS NULL AND answer IS NULL RETURNING id`,
)

/** The content of `sign_in_requests.answer` until the browser returns: the verified statements, or the reason of a refusal. */
const storedResponse = z.union([z.object({ assertion: providerAssertion }), z.object({ error: z.string() })])
type StoredResponse = z.output<typeof storedResponse>

const notOpen = () =>
  new ProviderError(
    'The response does not belong to an open request of this service: the request has expired, already has a response, or was not made here.',
  )

/**
 * Verifies the response that a provider posts, and stores its statements, or the reason of a refusal, with the request. Only the browser
 * that was sent can use it, and once: the page to which it returns checks its cookie. Returns the identifier of the request. Throws a
 * `ProviderError` if the response is for no open request of the provider.
 */
export async function receiveResponse(ports: ReceivePorts, provider: StoredProvider, parameter: string | null): Promise<string> {
  const { xml, inResponseTo } = decodeResponse(parameter)
  const [request] = await findOpenRequest(ports.database.pool, inResponseTo, provider.id, ports.now())
  if (!request) throw notOpen()
  const response = JSON.stringify(verifyResponse(ports, provider, xml, request))
  const stored = await storeResponse(ports.database.pool, request.id, response)
  if (stored.length === 0) throw notOpen()
  return request.id
}

function verifyResponse(
  { now, authUrl }: ReceivePorts,
  provider: StoredProvider,
  xml: string,
  { id, createdAt, purpose }: OpenRequest,
): StoredResponse {
  const request = { id, createdAt: new Date(createdAt), forceAuthentication: purpose === 'confirm' }
  const expected = { provider, request, authUrl, now: now() }
  try {
    const root = parseResponse(xml)
    checkResponse(root, expected)
    requireSuccess(root)
    const assertion = verifySignatures(root, provider.certificates)
    checkAssertion(assertion, expected)
    return { assertion: readAssertion(assertion, provider.groupsClaim) }
  } catch (error) {
    if (error instanceof ProviderError) return { error: error.message }
    throw error
  }
}

/** Returns the assertion that was verified when the response arrived. Throws a `ProviderError` if it was refused, or none arrived. */
export function readStoredResponse(response: unknown): ProviderAssertion {
  const stored = storedResponse.safeParse(response).data
  if (!stored) throw new ProviderError('The identity provider has not responded to the request.')
  if ('error' in stored) throw new ProviderError(stored.error)
  return stored.assertion
}
