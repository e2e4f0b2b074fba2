import type { Adapter, AdapterPayload } from 'oidc-provider'
import { revokeGrant } from './artifact-statements.ts'
import type { AdapterPorts } from './artifact-adapter.ts'
import { findGrant, grantedScopes } from './live-grants.ts'
import type { StoredGrant } from './live-grants.ts'
import { currentTurn } from '../turn.ts'

/** oidc-provider's storage for grants: read as the rows that consent writes, revoked here. */
export const createGrantAdapter = ({ database, now }: Pick<AdapterPorts, 'database' | 'now'>): Adapter => {
  const refuse = () => Promise.reject(new Error('a grant is written by consent alone'))
  return {
    async find(id) {
      const { grants, people, exchange } = currentTurn()
      const found = grants.has(id) ? undefined : await findGrant(database, id, now())
      const grant = grants.get(id) ?? found?.grant
      if (!grant) return undefined
      grants.set(id, grant)
      if (found) people.set(found.person.id, found.person)
      // Whoever left the selected team must authorize again (contract §5.6).
      return exchange && !grant.isWithinTeam ? undefined : grantPayload(grant)
    },
    destroy: async (id) => void (await revokeGrant(database.pool, id, now())),
    upsert: refuse,
    consume: refuse,
    findByUid: refuse,
    findByUserCode: refuse,
    revokeByGrantId: () => Promise.resolve(),
  }
}

function grantPayload(grant: StoredGrant): AdapterPayload {
  const { id, userId, clientId, declinedScopes, createdAt, expiresAt } = grant
  return {
    jti: id,
    kind: 'Grant',
    accountId: userId,
    clientId,
    iat: createdAt,
    exp: expiresAt,
    openid: { scope: grantedScopes(grant).join(' ') },
    rejected: { openid: { scope: declinedScopes.join(' ') } },
  }
}
