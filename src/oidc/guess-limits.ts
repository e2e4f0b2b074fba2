import { errors, Provider } from 'oidc-provider'
import type { KoaContextWithOIDC } from 'oidc-provider'
import { DomainError } from '../../schema/errors.ts'
import { guesserOf } from '../guesses.ts'
import type { Guesses } from '../guesses.ts'
import { compareHashedSecrets } from './storage/client-adapter.ts'
import { endpoints } from './endpoints.ts'
import { renderError } from './pages.ts'

/** A limit that was met, as OAuth clients are told: 429 with `Retry-After`. */
class TooManyAttempts extends errors.OIDCProviderError {
  constructor() {
    super(429, 'temporarily_unavailable')
    this.error_description = 'Too Many Attempts.'
  }
}

/** Bounds the guessing of client secrets and user codes (decisions §8). */
export function limitGuesses(provider: Provider, { clientSecret, userCode }: Guesses): void {
  compareHashedSecrets(provider, async (clientId) => {
    const { ctx } = Provider
    if (ctx && !(await mayGuess(ctx, clientSecret.attempt(clientId, addressOf(ctx))))) throw new TooManyAttempts()
  })
  // Each code that is typed costs a guess, and gives it back when it was one.
  provider.use(async (ctx, next) => {
    if (ctx.path !== endpoints.code_verification.path || ctx.method !== 'POST') return next()
    const session = ctx.cookies.get(provider.cookieName('session')) ?? ''
    const counters = [`address ${addressOf(ctx)}`, `session ${session}`]
    for (const counter of counters) {
      if (await mayGuess(ctx, userCode.attempt(counter))) continue
      ctx.status = 429
      return renderError(
        ctx as KoaContextWithOIDC,
        { error: 'temporarily_unavailable', error_description: 'Too Many Attempts.' },
        new TooManyAttempts(),
      )
    }
    await next()
    if (!ctx.state['isWrongUserCode']) await Promise.all(counters.map((counter) => userCode.forgive(counter)))
  })
}

/** False where the limit is met; the answer then says when to come back. */
async function mayGuess(ctx: Pick<KoaContextWithOIDC, 'set'>, guess: Promise<void>): Promise<boolean> {
  try {
    await guess
    return true
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'rate_limited') throw error
    ctx.set('Retry-After', String(error.details.retryAfterSeconds ?? 1))
    return false
  }
}

// Express's, which knows whose X-Forwarded-For to believe.
const addressOf = ({ req }: Pick<KoaContextWithOIDC, 'req'>) => guesserOf((req as { ip?: string }).ip)
