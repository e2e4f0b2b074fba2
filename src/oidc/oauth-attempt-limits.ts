import type { KoaContextWithOIDC, Provider } from 'oidc-provider'
import { DomainError } from '../../schema/core/errors.ts'
import { clientNetwork } from '../auth/client-network.ts'
import type { AttemptLimits } from '../auth/attempt-limits.ts'
import { endpoints } from './provider/endpoints.ts'
import { renderError } from './pages/provider-pages.ts'
import { compareSecretsWith, currentContext, TooManyAttempts } from './provider/provider-internals.ts'
import { getRequestContext } from './request-context.ts'
import { verifySecret } from './storage/client-adapter.ts'

/** Limits attempts to guess client secrets and user codes (docs/decisions/accounts.md#attempt-limits). */
export function limitAttempts(provider: Provider, { clientSecret, userCode }: AttemptLimits): void {
  compareSecretsWith(provider, async (client, secret, ctx) => {
    // A correct secret is accepted beyond the limit, too, so that others behind the same proxy cannot lock the client out. Secrets have 256
    // random bits (schema/oauth/clients/client-secret.ts) and cannot be guessed; the limit only reports attempts.
    if (verifySecret(client.secret_hashes, secret)) return true
    if (!(await countAttempt(ctx, clientSecret.attempt(client.clientId, getNetwork(ctx))))) throw new TooManyAttempts()
    return false
  })
  // Every submitted code counts as an attempt, which is refunded if the code exists.
  provider.use(async (ctx, next) => {
    if (ctx.path !== endpoints.code_verification.path || ctx.method !== 'POST') return next()
    const session = ctx.cookies.get(provider.cookieName('session')) ?? ''
    const counters = [
      ['address', getNetwork(ctx)],
      ['session', session],
    ]
    for (const counter of counters) {
      if (await countAttempt(ctx, userCode.attempt(...counter))) continue
      ctx.status = 429
      return renderError(ctx, { error: 'temporarily_unavailable', error_description: 'Too Many Attempts.' }, new TooManyAttempts())
    }
    await next()
    if (!ctx.state['isWrongUserCode']) await Promise.all(counters.map((counter) => userCode.refund(...counter)))
  })
}

/** Limits the token requests of a machine. Each token is stored until it expires. */
export async function limitTokenRequests(count: (machineId: string) => Promise<void>): Promise<void> {
  const ctx = currentContext()
  const machineId = ctx && getRequestContext(ctx).tokenRequest?.machineId
  if (ctx && machineId && !(await countAttempt(ctx, count(machineId)))) throw new TooManyAttempts()
}

/** Returns false, and sets `Retry-After`, if the limit is reached. */
export async function countAttempt(ctx: Pick<KoaContextWithOIDC, 'set'>, attempt: Promise<void>): Promise<boolean> {
  try {
    await attempt
    return true
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'rate_limited') throw error
    ctx.set('Retry-After', String(error.details.retryAfterSeconds ?? 1))
    return false
  }
}

const getNetwork = (ctx: Pick<KoaContextWithOIDC, 'res'>) => clientNetwork(getRequestContext(ctx).browser.address)
