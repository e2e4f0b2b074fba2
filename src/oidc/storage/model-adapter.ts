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
import { toValues, updateModel, upsertModel, upsertDeviceCode } from './model-queries.ts'
import type { ModelRow } from './model-queries.ts'
import type { ModelEncoding } from './model-encoding.ts'
import { keepRows } from './read-rows.ts'
import { updateSession, upsertSession } from './session-queries.ts'
import type { BrowserParameters } from './session-queries.ts'
import { modelsBy, grantedScopes } from './live-grants.ts'
import type { StoredModel } from './live-grants.ts'

export interface AdapterPorts {
  /** The issuer: AUTH_URL. */
  authUrl: string
  database: Database
  modelEncoding: ModelEncoding
  tokenStore: Pick<TokenStore, 'recordPresented' | 'endChain'>
  attemptLimits: Pick<AttemptLimits, 'pendingAuthorizations'>
  /** Key sets of clients by URL. */
  keySets: DocumentCache<PublicKey[]>
  /** Updates the stored registration of a client by URL if the request needs it. Returns false if the client counts as unknown. */
  prepareMetadataClient(clientId: string): Promise<boolean>
  now(): Date
  /** Days for which a sign-in through a provider that a team requires is valid. */
  providerSignInDays: number
  /** Records the activity of a user in the background. */
  recordUse(userId: string, lastUsedAt: null): void
  /** Refuses the request of a machine that requests too many tokens. */
  limitTokenRequest(): Promise<void>
}

const codeKinds = new Set(['AuthorizationCode', 'DeviceCode'])
/** Kinds that a token request presents, each usable once. */
const presentedKinds = new Set([...codeKinds, 'RefreshToken'])

type WriteModel = (model: {
  value: string
  row: ModelRow
  /** True if this request has read or created the model. */
  isRead: boolean
  browser: BrowserParameters
}) => Promise<unknown>

function requireRow(rows: readonly object[], createError: () => Error): void {
  if (rows.length === 0) throw createError()
}

const interactionNotFound = () => new errors.SessionNotFound('interaction session not found')

/** Returns the error for a proof that was used before. With invalid_grant, clients would ask the user to authorize (RFC 9449 §5, §7.1). */
const replayError = (value: string) =>
  isOfAssertion(value) ? refuseClient('the client assertion was used before') : new errors.InvalidDpopProof('DPoP proof was sent before')

/** oidc-provider's storage for all its models except clients and grants. */
export const createModelAdapter = (
  kind: string,
  { database, modelEncoding, tokenStore, attemptLimits, now, recordUse, limitTokenRequest }: AdapterPorts,
): Adapter => {
  const { pool } = database

  /** Decodes a stored model. Stores its grant and user in the request context, where later lookups of this request find them. */
  function readPayload(value: string, model: StoredModel): AdapterPayload | undefined {
    const { payload, isConsumed } = model
    keepRows(requestInProgress().rows, model)
    const decoded = modelEncoding.decode(kind, value, payload)
    // UserInfo accepts the token of a resource, too, which oidc-provider would refuse.
    if (kind === 'AccessToken' && currentContext()?.path === endpoints.userinfo.path) delete decoded?.['aud']
    return decoded ? { ...moveTimes(decoded, -secondsAhead(now)), jti: value, ...(isConsumed && { consumed: true }) } : undefined
  }

  async function findById(value: string): Promise<StoredModel | null> {
    const { withClient } = requestInProgress().rows
    if (withClient?.kind === kind && withClient.value === value) return withClient.model
    const [model] = await modelsBy.id(pool, modelEncoding.hash(value), kind, now())
    return model ?? null
  }

  /** Returns a code or token that a token request presents. A used one whose response is replayed appears unused. */
  async function presentToken(value: string, model: StoredModel): Promise<AdapterPayload | undefined> {
    const { tokenRequest } = requestInProgress()
    const payload = readPayload(value, model)
    if (!tokenRequest || !payload) return payload
    // Refresh tokens without `offline_access`, which the user or the operator can remove, are no longer valid.
    if (kind === 'RefreshToken' && model.grant && !grantedScopes(model.grant).includes('offline_access')) return undefined
    const { grant, chainId, isConsumed: isUsed } = model
    const presented = { value, hash: modelEncoding.hash(value), grant, chainId, isCode: kind !== 'RefreshToken' }
    const isOwn = payload.clientId === currentContext()?.oidc.client?.clientId
    const use = await tokenStore.recordPresented(tokenRequest, presented, { isUsed, isOwn })
    return use === null ? undefined : { ...payload, consumed: use === 'used' || undefined }
  }

  const insertOrUpdate: WriteModel = ({ row }) => upsertModel(pool, ...toValues(row))
  /** Functions that write the kinds that are not simply inserted or updated. */
  const writers: Readonly<Record<string, WriteModel>> = {
    ReplayDetection: async ({ value, row }) => requireRow(await insertOnce(pool, ...toValues(row)), () => replayError(value)),
    DeviceCode: async ({ row }) =>
      requireRow(await upsertDeviceCode(pool, ...toValues(row)), () => new AlreadyUsedError('the code was decided on already')),
    Interaction: async (model) =>
      model.isRead ? requireRow(await updateModel(pool, model.row.idHash, model.row.payload), interactionNotFound) : insertOrUpdate(model),
    Session: ({ row, isRead, browser }) =>
      isRead && row.uidHash
        ? updateSession(pool, row.uidHash, row.idHash, row.payload, row.expiresAt, ...browser)
        : upsertSession(pool, ...toValues(row), ...browser),
  }
  const write = writers[kind] ?? insertOrUpdate

  return {
    async find(value) {
      // `upsert` checks atomically that a DPoP proof is new.
      if (kind === 'ReplayDetection') return undefined
      const { tokenRequest, rows } = requestInProgress()
      if (kind === 'DeviceCode' && tokenRequest) await enforcePollingInterval(value)
      const model = await findById(value)
      if (!model) return undefined
      if (kind === 'Session') rows.models.add(String(model.payload['uid']))
      if (kind === 'Interaction') rows.models.add(value)
      return presentedKinds.has(kind) ? presentToken(value, model) : readPayload(value, model)
    },
    async findByUid(uid) {
      const [model] = await modelsBy.uid(pool, sha256(uid), kind, now())
      return model && readPayload(modelEncoding.handle(Buffer.from(model.hash, 'hex')), model)
    },
    async findByUserCode(userCode) {
      for (const hash of modelEncoding.userCodeHashes(userCode)) {
        const [model] = await modelsBy.userCode(pool, hash, kind, now())
        if (model) return { ...readPayload(modelEncoding.handle(Buffer.from(model.hash, 'hex')), model), userCode }
      }
      return undefined
    },
    async upsert(value, payload, expiresIn) {
      const { tokenRequest, rows, browser } = requestInProgress()
      const { uid, userCode, grantId } = payload
      const text = JSON.stringify(modelEncoding.encode(kind, value, moveTimes(payload, secondsAhead(now))))
      // PostgreSQL cannot store a NUL. One can be in a parameter that is only passed on, such as `nonce`.
      if (text.includes('\\u0000')) throw new errors.InvalidRequest('parameters must not contain NUL')
      const row: ModelRow = {
        idHash: modelEncoding.hash(value),
        kind,
        payload: text,
        chainId: grantId && codeKinds.has(kind) ? randomUUID() : null,
        uidHash: kind === 'Session' && uid ? sha256(uid) : null,
        userCodeHash: userCode ? modelEncoding.userCodeHash(userCode) : null,
        expiresAt: new Date(now().getTime() + Number(expiresIn) * 1000),
      }
      if (kind === 'ClientCredentials') await limitTokenRequest()
      if (tokenRequest && kind !== 'ReplayDetection') {
        const { idHash, expiresAt: expires_at } = row
        tokenRequest.newModels.push({ hash: idHash.toString('hex'), kind, payload: JSON.parse(text), expires_at })
        return
      }
      const id = kind === 'Session' ? (uid ?? '') : value
      const isRead = rows.models.has(id)
      if (!isRead && isAnonymous(kind, payload)) {
        const isNew = await insertAnonymousModel(pool, attemptLimits.pendingAuthorizations, toValues(row), browser.address, now())
        if (!isNew && kind === 'ReplayDetection') throw replayError(value)
        rows.models.add(id)
      } else await write({ value, row, isRead, browser: [now(), browser.address, browser.userAgent] })
      // A session is written at sign-in and when a client uses it. `recordSessionUse` writes the uses in between.
      if (kind === 'Session' && payload.accountId !== undefined) recordUse(payload.accountId, null)
    },
    async consume(value) {
      // A token request consumes the model together with writing the new tokens (src/oidc/token/exchange.ts).
      if (requestInProgress().tokenRequest) return
      const consumed = await consumeModel(pool, modelEncoding.hash(value), now())
      if (consumed.length === 0) throw new errors.InvalidRequestUri('request_uri is invalid, expired, or was already used')
    },
    async destroy(value) {
      if (kind === 'Session' && isReplacedIdentifier(value)) return
      if (kind === 'RefreshToken') return tokenStore.endChain(requestInProgress().tokenRequest, modelEncoding.hash(value))
      const deleted = await deleteModel(pool, modelEncoding.hash(value))
      // The result of an interaction counts once, even if the browser requests the redirect several times.
      if (kind === 'Interaction' && currentContext()?.oidc.route?.endsWith('resume') && deleted.length === 0) throw interactionNotFound()
    },
    // There is nothing to do, because models of a revoked chain are not found.
    revokeByGrantId: () => Promise.resolve(),
  }

  async function enforcePollingInterval(value: string): Promise<void> {
    const clientId = currentContext()?.oidc.client?.clientId ?? ''
    const [poll] = await pollDeviceCode(pool, modelEncoding.hash(value), clientId, now().getTime())
    if (poll?.isTooSoon) throw new errors.SlowDown()
  }
}
