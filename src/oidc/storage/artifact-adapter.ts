import { errors, Provider } from 'oidc-provider'
import type { Adapter, AdapterPayload } from 'oidc-provider'
import type { Database } from '../../../prisma/client.ts'
import { sha256 } from '../../../schema/secret.ts'
import type { Answers } from '../token/answers.ts'
import { deleteArtifact, insertOnce, pollDeviceCode, revokeGrant, spendArtifact } from './artifact-statements.ts'
import { updateArtifact, upsertArtifact, upsertDeviceCode, valuesOf } from './artifact-statements.ts'
import type { Artifacts } from './artifact-form.ts'
import { updateSession, upsertSession } from './session-statements.ts'
import { artifactsBy, grantedScopes } from './live-grants.ts'
import type { StoredArtifact } from './live-grants.ts'
import { currentTurn } from '../turn.ts'

export interface AdapterPorts {
  database: Database
  artifacts: Artifacts
  answers: Answers
  now(): Date
}

/** By this name the page of the device says so (src/oidc/pages.ts). */
class AlreadyUsedError extends errors.InvalidRequest {}

/** What a request at the token endpoint presents once. */
const presentedKinds = new Set(['AuthorizationCode', 'RefreshToken', 'DeviceCode'])

/** oidc-provider's storage for its models, but for clients and grants. */
export const createArtifactAdapter = (kind: string, { database, artifacts, answers, now }: AdapterPorts): Adapter => {
  const { pool } = database

  /** A stored artifact as oidc-provider knows it; remembers grant and person for what this request asks next. */
  function payloadOf(value: string, { payload, isSpent, grant, person }: StoredArtifact): AdapterPayload | undefined {
    const { grants, people } = currentTurn()
    if (grant) grants.set(grant.id, grant)
    if (person) people.set(person.id, person)
    const restored = artifacts.restored(kind, value, payload)
    return restored ? { ...restored, jti: value, ...(isSpent && { consumed: true }) } : undefined
  }

  /** At the token endpoint a spent value may still have its answer; then it goes on as if it were not spent. */
  async function present(value: string, found: StoredArtifact): Promise<AdapterPayload | undefined> {
    const { exchange, arrivedAt } = currentTurn()
    const payload = payloadOf(value, found)
    if (!exchange || !payload) return payload
    // Who no longer allows it to stay connected, or an operator who no longer registers it, has ended the connection.
    if (kind === 'RefreshToken' && found.grant && !grantedScopes(found.grant).includes('offline_access')) return undefined
    const presented = { value, hash: artifacts.hashOf(value), grant: found.grant, isFirst: kind !== 'RefreshToken' }
    exchange.presented = presented
    if (!found.isSpent) return payload
    exchange.repeated = await answers.repeatable(presented, arrivedAt, kind === 'RefreshToken' ? (found.grant?.replaySeconds ?? 0) : 0)
    if (exchange.repeated) return { ...payload, consumed: undefined }
    // A second use of a code revokes what the first gave, after its minute too; oidc-provider says no more than "expired" then.
    const isOwn = payload.clientId === Provider.ctx?.oidc.client?.clientId
    if (isOwn && found.grant && kind !== 'RefreshToken') await revokeGrant(pool, found.grant.id, now())
    return payload
  }

  return {
    async find(value) {
      // Whether a proof was sent before is known once it is noted: one answer, however many come at once.
      if (kind === 'ReplayDetection') return undefined
      const { exchange } = currentTurn()
      // Before anything is waited for: the one that comes first is to see the others.
      if (exchange && presentedKinds.has(kind)) exchange.use.present(artifacts.hashOf(value))
      if (kind === 'DeviceCode' && exchange) await waitItsTurn(value)
      const [found] = await artifactsBy.id(pool, artifacts.hashOf(value), kind, now())
      if (!found) return undefined
      if (kind === 'Session') currentTurn().read.add(String(found.payload['uid']))
      if (kind === 'Interaction') currentTurn().read.add(value)
      return presentedKinds.has(kind) ? present(value, found) : payloadOf(value, found)
    },
    async findByUid(uid) {
      const [found] = await artifactsBy.uid(pool, sha256(uid), kind, now())
      return found && payloadOf(artifacts.handle(Buffer.from(found.hash, 'hex')), found)
    },
    async findByUserCode(userCode) {
      const [found] = await artifactsBy.userCode(pool, artifacts.userCodeHash(userCode), kind, now())
      return found && { ...payloadOf(artifacts.handle(Buffer.from(found.hash, 'hex')), found), userCode }
    },
    async upsert(value, payload, expiresIn) {
      const { exchange, read, address, userAgent } = currentTurn()
      const { uid, userCode, grantId } = payload
      const text = JSON.stringify(artifacts.stored(kind, value, payload))
      // Of a parameter that is only carried along, such as nonce; PostgreSQL stores no NUL.
      if (text.includes('\\u0000')) throw new errors.InvalidRequest('parameters must not contain NUL')
      const row = {
        idHash: artifacts.hashOf(value),
        kind,
        payload: text,
        grantId: kind === 'Interaction' || kind === 'Session' ? null : (grantId ?? null),
        uidHash: kind === 'Session' && uid ? sha256(uid) : null,
        userCodeHash: userCode ? artifacts.userCodeHash(userCode) : null,
        expiresAt: new Date(now().getTime() + Number(expiresIn) * 1000),
      }
      if (kind === 'ReplayDetection') {
        // RFC 9449 §5, §7.1; invalid_grant would say that the user must authorize again.
        if ((await insertOnce(pool, ...valuesOf(row))).length === 0) throw new errors.InvalidDpopProof('DPoP proof was sent before')
        return
      }
      if (exchange) {
        const { idHash, grantId: grant_id, expiresAt: expires_at } = row
        exchange.made.push({ hash: idHash.toString('hex'), kind, payload: JSON.parse(text), grant_id, expires_at })
        return
      }
      if (kind === 'DeviceCode') {
        if ((await upsertDeviceCode(pool, ...valuesOf(row))).length === 0) throw new AlreadyUsedError('the code was decided on already')
      } else if (kind === 'Interaction' && read.has(value)) {
        if ((await updateArtifact(pool, row.idHash, text)).length === 0) throw new errors.SessionNotFound('interaction session not found')
      } else if (row.uidHash === null) await upsertArtifact(pool, ...valuesOf(row))
      else if (uid && read.has(uid)) await updateSession(pool, row.uidHash, row.idHash, text, row.expiresAt, now(), address, userAgent)
      else await upsertSession(pool, ...valuesOf(row), now(), address, userAgent)
    },
    async consume(value) {
      // At the token endpoint it is spent together with what is made of it.
      if (currentTurn().exchange) return
      const spent = await spendArtifact(pool, artifacts.hashOf(value), now())
      if (spent.length === 0) throw new errors.InvalidRequestUri('request_uri is invalid, expired, or was already used')
    },
    async destroy(value) {
      const { session, route } = Provider.ctx?.oidc ?? {}
      // Before a session gets a new identifier the old one is destroyed; here the row is renamed when it is written.
      if (kind === 'Session' && (session as { oldId?: string } | undefined)?.oldId === value) return
      const deleted = await deleteArtifact(pool, artifacts.hashOf(value))
      // What a person decided leads on once, however often the browser asks.
      if (kind === 'Interaction' && route?.endsWith('resume') && deleted.length === 0)
        throw new errors.SessionNotFound('interaction session not found')
    },
    // A grant that is revoked takes all that came of it along: nothing of it is found any more.
    revokeByGrantId: () => Promise.resolve(),
  }

  async function waitItsTurn(value: string): Promise<void> {
    const clientId = Provider.ctx?.oidc.client?.clientId ?? ''
    const [poll] = await pollDeviceCode(pool, artifacts.hashOf(value), clientId, now().getTime())
    if (poll?.tooSoon) throw new errors.SlowDown()
  }
}
