import { RelativeTime } from '../../web/components/time.tsx'
import type { ListedToken } from './listed-token.ts'

export type TokenState = 'active' | 'expired' | 'revoked'

/** Returns the state of a token at this instant. */
export function getTokenState({ revokedAt, expiresAt }: Pick<ListedToken, 'revokedAt' | 'expiresAt'>, now: Date): TokenState {
  if (revokedAt) return 'revoked'
  return expiresAt !== null && new Date(expiresAt) <= now ? 'expired' : 'active'
}

const labels: Record<TokenState, string> = { active: 'Active', expired: 'Expired', revoked: 'Revoked' }
const kinds: Record<TokenState, string> = { active: 'good', expired: 'caution', revoked: 'quiet' }

const soonMilliseconds = 7 * 86_400_000

/** Returns true if an active token expires within seven days. */
export const expiresSoon = (token: Pick<ListedToken, 'revokedAt' | 'expiresAt'>, now: Date): boolean =>
  getTokenState(token, now) === 'active' &&
  token.expiresAt !== null &&
  new Date(token.expiresAt).getTime() - now.getTime() <= soonMilliseconds

/** The state of a token. */
export function TokenStatus({ token, now }: { token: ListedToken; now: Date }) {
  const state = getTokenState(token, now)
  return expiresSoon(token, now) ? (
    <span class="badge caution">Expires soon</span>
  ) : (
    <span class={`badge ${kinds[state]}`}>{labels[state]}</span>
  )
}

/** The end of a token, in the future or past. It includes the state unless the token is active for some time. */
export const TokenEnd = ({ token, now }: { token: ListedToken; now: Date }) => (
  <>
    {(getTokenState(token, now) !== 'active' || expiresSoon(token, now)) && (
      <>
        <TokenStatus token={token} now={now} />{' '}
      </>
    )}
    <RelativeTime at={token.revokedAt ?? token.expiresAt} />
  </>
)
