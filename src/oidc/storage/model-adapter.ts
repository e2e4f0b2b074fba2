import { randomUUID } from 'node:crypto'
import { errors } from 'oidc-provider'
import type { Adapter, AdapterPayload } from 'oidc-provider'
import type { Database } from '../../../prisma/connection/database.ts'
import { sha256 } from '../../../schema/core/sha256.ts'
import type { PublicKey } from '../../../schema/oauth/public-keys.ts'
import type { AttemptLimits } from '../../auth/attempt-limits.ts'
import type { DocumentCache } from '../../../schema/core/outgoing/document-cache.ts'
import { moveTimes, secondsAhead } from '../process-clock.ts'
import { endpoints } from '../provider/endpoints.ts'
import { AlreadyUsedError, currentContext, isReplacedIdentifier } from '../provider/provider-internals.ts'
import { refuseClient } from '../client-assertion.ts'
import { isOfAssertion } from '../provider/token-internals.ts'
import { requestInProgress } from '../request-context.ts'
import type { TokenStore } from '../token/token-store.ts'
import { insertAnonymousModel, isAnonymous } from './anonymous-models.ts'
import { consumeModel, deleteModel, insertOnce, pollDeviceCode } from './model-queries.ts'
import { updateModel, upsertModel, upsertDeviceCode, valuesOf } from './model-queries.ts'
import type { ModelEncoding } from './model-encoding.ts'
import { keepRows } from './read-rows.ts'
import { updateSession, upsertSession } from './session-queries.ts'
import { modelsBy, grantedScopes } from './live-grants.ts'
import type { StoredModel } from './live-grants.ts'

export interface AdapterPorts {
  /** The issuer: AUTH_URL. */
  authUrl: string
  database: Database
  modelEncoding: ModelEncoding
  tokenStore: Pick<TokenStore, 'present' | 'endChain'>
  attemptLimits: Pick<AttemptLimits, 'pendingAuthorizations'>
  /** Key sets of clients by URL. */
  keySets: DocumentCache<PublicKey[]>
  now(): Date
  /** Days for which a sign-in through a provider that a team requires counts. */
  providerSignInDays: number
  /** Records the activity of a user in the background. */
  recordUse(userId: string, lastUsedAt: null): void
  /** Refuses the request of a machine that asks for too many tokens. */
  limitTokenRequest(): Promise<void>
}

const codeKinds = new Set(['AuthorizationCode', 'DeviceCode'])
/** Kinds that a token request presents, each usable once. */
const presentedKinds = new Set([...codeKinds, 'RefreshToken'])

/** oidc-provider's storage for all its models except clients and grants. */
export const createModelAdapter = (
  kind: string,
  { database, modelEncoding, tokenStore, attemptLimits, now, recordUse, limitTokenRequest }: AdapterPorts,
): Adapter => {
  const { pool } = database

  /** Decodes a stored model. Keeps its grant and user in the request context, where later lookups of this request find them. */
  function payloadOf(value: string, found: StoredModel): AdapterPayload | undefined {
    const { payload, isConsumed } = found
    keepRows(requestInProgress().rows, found)
    const decoded = modelEncoding.decode(kind, value, payload)
    // UserInfo accepts the token of a resource, too, which oidc-provider would refuse.
    if (kind === 'AccessToken' && currentContext()?.path === endpoints.userinfo.path) delete decoded?.['aud']
    return decoded ? { ...moveTimes(decoded, -secondsAhead(now)), jti: value, ...(isConsumed && { consumed: true }) } : undefined
  }

  async function findById(value: string): Promise<StoredModel | null> {
    const { withClient } = requestInProgress().rows
    if (withClient?.kind === kind && withClient.value === value) return withClient.model
    const [found] = await modelsBy.id(pool, modelEncoding.hashOf(value), kind, now())
    return found ?? null
  }

  /** Returns a code or token that a token request presents. A used one for which the response is replayed appears unused. */
  async function present(value: string, found: StoredModel): Promise<AdapterPayload | undefined> {
    const { tokenRequest } = requestInProgress()
    const payload = payloadOf(value, found)
    if (!tokenRequest || !payload) return payload
    // Without `offline_access`, taken back by the user or the operator, refresh tokens are no longer valid.
    if (kind === 'RefreshToken' && found.grant && !grantedScopes(found.grant).includes('offline_access')) return undefined
    const { grant, chainId, isConsumed: isUsed } = found
    const presented = { value, hash: modelEncoding.hashOf(value), grant, chainId, isCode: kind !== 'RefreshToken' }
    const isOwn = payload.clientId === currentContext()?.oidc.client?.clientId
    const use = await tokenStore.present(tokenRequest, presented, { isUsed, isOwn })
    return use === null ? undefined : { ...payload, consumed: use === 'used' || undefined }
  }

  return {
    async find(value) {
      // `upsert` decides atomically whether a DPoP proof was used before.
      if (kind === 'ReplayDetection') return undefined
      const { tokenRequest, rows } = requestInProgress()
      if (kind === 'DeviceCode' && tokenRequest) await enforcePollingInterval(value)
      const found = await findById(value)
      if (!found) return undefined
      if (kind === 'Session') rows.models.add(String(found.payload['uid']))
      if (kind === 'Interaction') rows.models.add(value)
      return presentedKinds.has(kind) ? present(value, found) : payloadOf(value, found)
    },
    async findByUid(uid) {
      const [found] = await modelsBy.uid(pool, sha256(uid), kind, now())
      return found && payloadOf(modelEncoding.handle(Buffer.from(found.hash, 'hex')), found)
    },
    async findByUserCode(userCode) {
      for (const hash of modelEncoding.userCodeHashes(userCode)) {
        const [found] = await modelsBy.userCode(pool, hash, kind, now())
        if (found) return { ...payloadOf(modelEncoding.handle(Buffer.from(found.hash, 'hex')), found), userCode }
      }
      return undefined
    },
    async upsert(value, payload, expiresIn) {
      const { tokenRequest, rows, browser } = requestInProgress()
      const { address, userAgent } = browser
      const { uid, userCode, grantId } = payload
      const text = JSON.stringify(modelEncoding.encode(kind, value, moveTimes(payload, secondsAhead(now))))
      // PostgreSQL stores no NUL. One can be in a parameter that is only passed on, such as `nonce`.
      if (text.includes('\\u0000')) throw new errors.InvalidRequest('parameters must not contain NUL')
      const insertAnonymous = (...[of]: Parameters<typeof valuesOf>) =>
        insertAnonymousModel(pool, attemptLimits.pendingAuthorizations, valuesOf(of), address, now())
      const row = {
        idHash: modelEncoding.hashOf(value),
        kind,
        payload: text,
        chainId: grantId && codeKinds.has(kind) ? randomUUID() : null,
        uidHash: kind === 'Session' && uid ? sha256(uid) : null,
        userCodeHash: userCode ? modelEncoding.userCodeHash(userCode) : null,
        expiresAt: new Date(now().getTime() + Number(expiresIn) * 1000),
      }
      if (kind === 'ReplayDetection') {
        // For a DPoP proof: RFC 9449 §5 and §7.1. With invalid_grant the client would ask the user to authorize again.
        const isNew = isAnonymous(kind, payload) ? await insertAnonymous(row) : (await insertOnce(pool, ...valuesOf(row))).length > 0
        if (!isNew && isOfAssertion(value)) throw refuseClient('the client assertion was used before')
        if (!isNew) throw new errors.InvalidDpopProof('DPoP proof was sent before')
        return
      }
      if (kind === 'ClientCredentials') await limitTokenRequest()
      if (tokenRequest) {
        const { idHash, expiresAt: expires_at } = row
        tokenRequest.newModels.push({ hash: idHash.toString('hex'), kind, payload: JSON.parse(text), expires_at })
        return
      }
      const isKnown = rows.models.has(kind === 'Session' ? (uid ?? '') : value)
      if (!isKnown && isAnonymous(kind, payload)) {
        await insertAnonymous(row)
        rows.models.add(kind === 'Session' ? (uid ?? '') : value)
      } else if (kind === 'DeviceCode') {
        if ((await upsertDeviceCode(pool, ...valuesOf(row))).length === 0) throw new AlreadyUsedError('the code was decided on already')
      } else if (kind === 'Interaction' && isKnown) {
        if ((await updateModel(pool, row.idHash, text)).length === 0) throw new errors.SessionNotFound('interaction session not found')
      } else if (row.uidHash === null) await upsertModel(pool, ...valuesOf(row))
      else if (isKnown) await updateSession(pool, row.uidHash, row.idHash, text, row.expiresAt, now(), address, userAgent)
      else await upsertSession(pool, ...valuesOf(row), now(), address, userAgent)
      // A session is written at sign-in and when a client uses it. `recordSessionUse` writes the uses in between.
      if (kind === 'Session' && payload.accountId !== undefined) recordUse(payload.accountId, null)
    },
    async consume(value) {
      // A token request consumes it together with writing the new tokens (src/oidc/token/exchange.ts).
      if (requestInProgress().tokenRequest) return
      const consumed = await consumeModel(pool, modelEncoding.hashOf(value), now())
      if (consumed.length === 0) throw new errors.InvalidRequestUri('request_uri is invalid, expired, or was already used')
    },
    async destroy(value) {
      if (kind === 'Session' && isReplacedIdentifier(value)) return
      if (kind === 'RefreshToken') return tokenStore.endChain(requestInProgress().tokenRequest, modelEncoding.hashOf(value))
      const deleted = await deleteModel(pool, modelEncoding.hashOf(value))
      // The result of an interaction counts once, however often the browser requests the redirect.
      if (kind === 'Interaction' && currentContext()?.oidc.route?.endsWith('resume') && deleted.length === 0)
        throw new errors.SessionNotFound('interaction session not found')
    },
    // Nothing to do: models of a revoked chain are not found.
    revokeByGrantId: () => Promise.resolve(),
  }

  async function enforcePollingInterval(value: string): Promise<void> {
    const clientId = currentContext()?.oidc.client?.clientId ?? ''
    const [poll] = await pollDeviceCode(pool, modelEncoding.hashOf(value), clientId, now().getTime())
    if (poll?.isTooSoon) throw new errors.SlowDown()
  }
}
