import type { Adapter, AdapterPayload } from 'oidc-provider'
import { resourceIdentifiers } from '../../../rest-facade/http/protected-resources.ts'
import { moveTimes, secondsAhead } from '../process-clock.ts'
import { requestInProgress, queryUnlessUnavailable } from '../request-context.ts'
import { createClientAdapter } from './client-adapter.ts'
import { findLiveGrant, grantedScopes, reachesTeam } from './live-grants.ts'
import type { StoredGrant } from './live-grants.ts'
import { createModelAdapter } from './model-adapter.ts'
import type { AdapterPorts } from './model-adapter.ts'
import { keepRows } from './read-rows.ts'

/** Creates oidc-provider's storage for models of one kind. */
export function createAdapter(kind: string, ports: AdapterPorts): Adapter {
  if (kind === 'Client') return failFast(createClientAdapter(ports))
  return failFast(kind === 'Grant' ? createGrantAdapter(ports) : createModelAdapter(kind, ports))
}

/** Makes an adapter fail at once after the database was unavailable to an earlier call in the same request. */
const failFast = (adapter: Adapter): Adapter => ({
  upsert: (...args) => queryUnlessUnavailable(requestInProgress(), () => adapter.upsert(...args)),
  find: (...args) => queryUnlessUnavailable(requestInProgress(), () => adapter.find(...args)),
  findByUserCode: (...args) => queryUnlessUnavailable(requestInProgress(), () => adapter.findByUserCode(...args)),
  findByUid: (...args) => queryUnlessUnavailable(requestInProgress(), () => adapter.findByUid(...args)),
  consume: (...args) => queryUnlessUnavailable(requestInProgress(), () => adapter.consume(...args)),
  destroy: (...args) => queryUnlessUnavailable(requestInProgress(), () => adapter.destroy(...args)),
  revokeByGrantId: (...args) => queryUnlessUnavailable(requestInProgress(), () => adapter.revokeByGrantId(...args)),
})

type GrantPorts = Pick<AdapterPorts, 'authUrl' | 'database' | 'now' | 'providerSignInDays'>

/** oidc-provider's storage for grants. It reads the rows that the consent page writes, and revokes them. */
const createGrantAdapter = ({ authUrl, database, ...clock }: GrantPorts): Adapter => {
  const { now } = clock
  const refuse = () => Promise.reject(new Error('the authorization server writes grants on the consent page only'))
  return {
    async find(id) {
      const { rows, tokenRequest } = requestInProgress()
      const liveGrant = rows.grants.has(id) ? null : await findLiveGrant(database, id, now())
      if (liveGrant) keepRows(rows, liveGrant)
      const grant = rows.grants.get(id)
      if (!grant) return undefined
      // A user who left the team of the grant must authorize again (docs/decisions/oauth.md#teams).
      return tokenRequest && !reachesTeam(grant, clock)
        ? undefined
        : moveTimes(buildPayload(grant, resourceIdentifiers(authUrl)), -secondsAhead(now))
    },
    // Only users and owners revoke grants, through the schema. oidc-provider revokes only a chain of tokens.
    destroy: refuse,
    upsert: refuse,
    consume: refuse,
    findByUid: refuse,
    findByUserCode: refuse,
    revokeByGrantId: () => Promise.resolve(),
  }
}

function buildPayload(grant: StoredGrant, resources: readonly string[]): AdapterPayload {
  const { id, userId, clientId, declinedScopes, createdAt, expiresAt } = grant
  const granted = grantedScopes(grant).join(' ')
  const declined = declinedScopes.join(' ')
  /** A scope is granted or declined for every resource. */
  const forEach = (scope: string) => Object.fromEntries(resources.map((resource) => [resource, scope]))
  return {
    jti: id,
    kind: 'Grant',
    accountId: userId,
    clientId,
    iat: createdAt,
    exp: expiresAt,
    openid: { scope: granted },
    resources: forEach(granted),
    rejected: { openid: { scope: declined }, resources: forEach(declined) },
  }
}
