import { randomBytes } from 'node:crypto'
import type { SignInRequest } from '../../../prisma/generated/client/client.ts'
import type { SignInPurpose, SocialProvider } from '../../../prisma/generated/client/enums.ts'
import { readRow } from '../../../prisma/statement/read-row.ts'
import { statement } from '../../../prisma/statement/statement.ts'
import { requireBrowser } from '../../core/attempts/count-attempt.ts'
import type { Context } from '../../core/context.ts'
import { sha256 } from '../../core/sha256.ts'
import { ClosedRequestError, ProviderError } from '../protocol.ts'
import type { ProtocolRequest } from '../protocol.ts'
import { changedMeanwhile, toProviderColumns } from './sign-in-provider.ts'
import type { SignInProvider } from './sign-in-provider.ts'

// A request sends a browser to a provider. The response can be used once, in the same browser, for ten minutes.

const minute = 60_000
/** Minutes within which the provider must respond. */
const responseMinutes = 10
/** Minutes after the response within which the user can prove an account, or the owner can read the result of a test. */
const proofMinutes = 30
const testMinutes = 24 * 60

const insertRequest = statement<
  object,
  [
    id: string,
    providerId: string | null,
    social: SocialProvider | null,
    purpose: SignInPurpose,
    userId: string | null,
    browserHash: Buffer,
    returnTo: string,
    createdAt: Date,
    expiresAt: Date,
  ]
>(
  'begin_sign_in_request',
  `INSERT INTO sign_in_requests (id, provider_id, social, purpose, user_id, browser_hash, return_to, created_at, expires_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
)

/** The purpose of a browser's request. */
export interface RequestDetails {
  purpose: SignInPurpose
  /** The user as whom the request must end; null if anybody may sign in. */
  userId: string | null
  returnTo: string
}

/** Stores a request of this browser, which gets a value that identifies it at the response. */
export async function beginRequest(context: Context, provider: SignInProvider, { purpose, userId, returnTo }: RequestDetails) {
  const browser = requireBrowser(context)
  // Several requests of a browser, in several tabs, share the value.
  const value = browser.findProviderBrowser() ?? randomBytes(32).toString('base64url')
  browser.saveProviderBrowser(value)
  const id = `_${randomBytes(16).toString('hex')}`
  const createdAt = context.now()
  const { providerId, social } = toProviderColumns(provider)
  const expiresAt = new Date(createdAt.getTime() + responseMinutes * minute)
  await insertRequest(context.database.pool, id, providerId, social, purpose, userId, sha256(value), returnTo, createdAt, expiresAt)
  return { id, createdAt }
}

const requestById = `SELECT id, provider_id AS "providerId", social, purpose, user_id AS "userId", browser_hash AS "browserHash",
  return_to AS "returnTo", created_at AS "createdAt", expires_at AS "expiresAt", answered_at AS "answeredAt", answer
  FROM sign_in_requests WHERE id = $1`

/** Returns a request of this browser that has not expired, or null. */
export async function findOwnRequest(context: Context, id: string): Promise<SignInRequest | null> {
  const value = requireBrowser(context).findProviderBrowser()
  if (value === null || !/^_[0-9a-f]{32}$/.test(id)) return null
  const request = await readRow<SignInRequest>(context.database.pool, 'sign_in_request_by_id', requestById, id)
  if (!request || !sha256(value).equals(request.browserHash)) return null
  return request.expiresAt > context.now() ? request : null
}

const recordResponse = statement<object, [id: string, now: Date, expiresAt: Date]>(
  'answer_sign_in_request',
  'UPDATE sign_in_requests SET answered_at = $2, expires_at = $3 WHERE id = $1 AND answered_at IS NULL AND expires_at > $2 RETURNING id',
)

/** Finds the request of a response and marks it as answered. Throws a `ProviderError` for any other response. */
export async function takeRequest(context: Context, provider: SignInProvider, state: string | null): Promise<SignInRequest> {
  if (state === null) throw new ClosedRequestError('The response of the identity provider has no parameter state.')
  const request = await findOwnRequest(context, state)
  if (!request)
    throw new ClosedRequestError('This browser did not begin this sign-in, or began it more than 10 minutes ago (parameter state).')
  const { providerId, social } = toProviderColumns(provider)
  if (request.providerId !== providerId || request.social !== social)
    throw new ProviderError('The answer is for a sign-in at another provider (parameter state).')
  // A response of SAML was verified when it arrived, with the certificates of that time.
  if (provider.team && provider.team.updatedAt > request.createdAt) throw changedMeanwhile()
  const now = context.now()
  const minutes = request.purpose === 'test' ? testMinutes : proofMinutes
  const [recorded] = await recordResponse(context.database.pool, request.id, now, new Date(now.getTime() + minutes * minute))
  if (!recorded) throw new ClosedRequestError('The answer was already used.')
  return { ...request, answeredAt: now }
}

/** Returns the part of a request that its protocol needs. */
export const buildProtocolRequest = ({
  id,
  createdAt,
  purpose,
  answer,
}: Pick<SignInRequest, 'id' | 'createdAt' | 'purpose'> & { answer: unknown }): ProtocolRequest => ({
  id,
  createdAt,
  storedResponse: answer,
  loginHint: null,
  forceAuthentication: purpose === 'confirm',
})

/** Stores the provider's statements until the user has proved an account or the owner has read the result of a test. */
export const storeAssertion = statement<object, [id: string, answer: object]>(
  'store_sign_in_answer',
  'UPDATE sign_in_requests SET answer = $2 WHERE id = $1',
)
