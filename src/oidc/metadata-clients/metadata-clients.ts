import { errors } from 'oidc-provider'
import { statement } from '../../../prisma/statement/statement.ts'
import { runOutsideRequests } from '../../../schema/core/observation/outside-requests.ts'
import { OutgoingError } from '../../../schema/core/outgoing/outgoing.ts'
import type { Ports } from '../../../schema/core/ports.ts'
import { isClientUrl } from '../../../schema/oauth/clients/client-rules.ts'
import { getClientHost, isMetadataUrl } from '../../../schema/oauth/metadata-clients/client-url.ts'
import { parseClientDocument, UnusableDocumentError } from '../../../schema/oauth/metadata-clients/client-document.ts'
import { saveMetadataClient } from '../../../schema/oauth/metadata-clients/save-metadata-client.ts'
import type { AttemptLimits } from '../../auth/attempt-limits.ts'
import { clientNetwork } from '../../auth/client-network.ts'
import { countAttempt } from '../oauth-attempt-limits.ts'
import { endpoints } from '../provider/endpoints.ts'
import { currentContext, TooManyAttempts } from '../provider/provider-internals.ts'
import { expressResponse, getRequestContext } from '../request-context.ts'

// Clients whose identifier is the URL of a document that describes them (docs/decisions/agents.md#clients-by-url).

interface MetadataClientPorts extends Pick<Ports, 'database' | 'now' | 'brandName' | 'clientMetadataDocuments'> {
  outgoing: Pick<Ports['outgoing'], 'send' | 'brokenRule'>
}

const maxBytes = 5 * 1024
const timeoutMilliseconds = 5_000
const maxAgeMilliseconds = 3_600_000
/** Time after a failure in which token requests do not fetch the document again. */
const failureMilliseconds = 60_000
const maxFailures = 500

/** The endpoints at which a client asks for access. Others use the stored registration. */
const requestPaths: ReadonlySet<string> = new Set(
  [endpoints.authorization, endpoints.pushed_authorization_request, endpoints.device_authorization].map(({ path }) => path),
)

/** A request of a client whose document cannot be used. The browser is not sent to a redirect URI that nothing confirms. */
class RefusedDocument extends errors.OIDCProviderError {
  override readonly allow_redirect = false

  constructor(reason: string) {
    super(400, 'invalid_client')
    this.error_description = `the document at the client_id ${reason}`
  }
}

function toRefusal(error: unknown): Error {
  if (error instanceof UnusableDocumentError) return new RefusedDocument(error.message)
  // The reason could describe the network of this service.
  if (error instanceof OutgoingError)
    return new RefusedDocument('could not be fetched, or is not JSON with the content type application/json')
  return error instanceof Error ? error : new Error('the document was not stored', { cause: error })
}

interface StoredState {
  fetchedAt: string | null
  isStored: boolean
  isDisabled: boolean
  /** True if a team allows the host. */
  isAllowed: boolean
}

const findState = statement<StoredState, [clientId: string, host: string]>(
  'state_of_metadata_client',
  `SELECT c.fetched_at AS "fetchedAt", c.id IS NOT NULL AS "isStored", c.disabled_at IS NOT NULL AS "isDisabled",
     EXISTS (SELECT FROM teams t WHERE t.agent_hosts @> ARRAY[$2] AND t.deleted_at IS NULL) AS "isAllowed"
   FROM (VALUES ($1)) AS wanted(client_id) LEFT JOIN oauth_clients c ON c.client_id = wanted.client_id`,
)

/** Fetches the documents of clients by URL when requests need them, and stores what they contain. */
export function createMetadataClients(ports: MetadataClientPorts, fetchLimit: AttemptLimits['clientDocument']) {
  const { database, now, outgoing, clientMetadataDocuments: setting } = ports
  const runOutsideRequest = runOutsideRequests()
  const fetching = new Map<string, Promise<void>>()
  // oidc-provider looks for the client of a refused request once more.
  const refusals = new WeakMap<Context, Error>()
  const failures = new Map<string, number>()

  /** Fetches and stores a document. Concurrent requests of this process share one fetch. */
  const update = (clientId: string, requestId: string): Promise<void> => {
    // A request that is cancelled must not end the fetch for the others.
    const start = () => runOutsideRequest(() => fetchAndSave(clientId, requestId)).finally(() => fetching.delete(clientId))
    const pending = fetching.get(clientId) ?? start()
    fetching.set(clientId, pending)
    return pending
  }

  async function fetchAndSave(clientId: string, requestId: string): Promise<void> {
    const fetchedAt = now()
    const registration = parseClientDocument(clientId, await fetchJson(clientId), ports)
    await saveMetadataClient(ports, { clientId, registration, fetchedAt, requestId })
  }

  async function fetchJson(url: string): Promise<unknown> {
    const headers = { accept: 'application/json' }
    const response = await outgoing.send({ url, method: 'GET', headers, timeoutMilliseconds, maxBytes })
    if (response.status !== 200) throw new OutgoingError(`The response has the status ${response.status}.`)
    if (!response.isComplete) throw new UnusableDocumentError(`must have at most ${maxBytes / 1024} kB`)
    // These have the message of a failed request, or anyone could find out which pages the hosts of OUTGOING_ALLOWED_HOSTS have.
    if (!/^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(response.headers['content-type'] ?? ''))
      throw new OutgoingError('The response has not the content type application/json.')
    try {
      return JSON.parse(response.body)
    } catch {
      throw new OutgoingError('The response is not JSON.')
    }
  }

  const isCurrent = ({ fetchedAt }: StoredState) =>
    fetchedAt !== null && now().getTime() - new Date(fetchedAt).getTime() < maxAgeMilliseconds

  /** Fetches a document that is not stored, or no longer current. Throws if it cannot be used. */
  async function requireCurrent(ctx: Context, clientId: string, { isStored }: StoredState): Promise<void> {
    const network = clientNetwork(getRequestContext(ctx).browser.address)
    try {
      if (!(await countAttempt(ctx, fetchLimit.attempt(network)))) throw new TooManyAttempts()
      await update(clientId, expressResponse(ctx).locals.requestId)
    } catch (error) {
      const refusal = toRefusal(error)
      refusals.set(ctx, refusal)
      throw refusal
    }
    // Each new client adds a row, so it remains counted.
    if (isStored) await fetchLimit.refund(network)
  }

  /** Fetches a document again, if that is possible. Otherwise the stored registration counts, so that a host that is down ends no access. */
  async function tryUpdate(ctx: Context, clientId: string): Promise<void> {
    if (now().getTime() - (failures.get(clientId) ?? -Infinity) < failureMilliseconds) return
    failures.delete(clientId)
    try {
      await update(clientId, expressResponse(ctx).locals.requestId)
    } catch (error) {
      if (!(error instanceof UnusableDocumentError) && !(error instanceof OutgoingError)) throw error
      if (failures.size >= maxFailures) failures.clear()
      failures.set(clientId, now().getTime())
    }
  }

  /**
   * Updates the stored registration of a client by URL as far as the current request needs it. Returns false if it must count as unknown.
   */
  return async function prepare(clientId: string): Promise<boolean> {
    if (!isClientUrl(clientId)) return true
    if (setting === 'off' || !isMetadataUrl(outgoing, clientId)) return false
    const ctx = currentContext()
    const isRequest = ctx !== undefined && requestPaths.has(ctx.path)
    if (!isRequest && ctx?.path !== endpoints.token.path) return true
    const [state] = await findState(database.pool, clientId, getClientHost(clientId))
    if (!state || state.isDisabled || (!isRequest && !state.isStored)) return false
    // Without this condition, anyone could have this service send requests to any host.
    const mayFetch = setting === 'any' || state.isAllowed
    if (isRequest && !mayFetch) return false
    if (isCurrent(state)) return true
    if (isRequest) {
      const earlier = refusals.get(ctx)
      if (earlier) throw earlier
      await requireCurrent(ctx, clientId, state)
    } else if (mayFetch) await tryUpdate(ctx, clientId)
    return true
  }
}

type Context = NonNullable<ReturnType<typeof currentContext>>
