import { Name } from '../../web/components/name.tsx'
import { ScopeList } from '../../web/components/scope-list.tsx'
import { DateTime } from '../../web/components/time.tsx'

/** A personal or team token, as pages show it. Times are RFC 3339. */
export interface ListedToken {
  id: string
  name: string
  /** Prefix and last four characters of the value. */
  hint: string
  scopes: readonly string[]
  /** Set for team tokens. Null when the operator created it or the account was deleted. */
  createdBy?: { name: string } | null
  createdAt: string
  lastUsedAt: string | null
  expiresAt: string | null
  revokedAt: string | null
  /** The value before the last rotation, while it still works. */
  previousValue: { hint: string; expiresAt: string } | null
  /** Set for personal tokens: slugs of teams whose owners revoked its access. */
  revokedTeams?: readonly string[]
}

export type TokenState = 'works' | 'expired' | 'revoked'

/** Returns the state of a token at this instant. */
export function tokenStateOf({ revokedAt, expiresAt }: ListedToken, now: Date): TokenState {
  if (revokedAt) return 'revoked'
  return expiresAt !== null && new Date(expiresAt) <= now ? 'expired' : 'works'
}

export const stateLabels: Record<TokenState, string> = {
  works: 'Works',
  expired: 'Expired',
  revoked: 'Revoked',
}

/** Scopes, values, creator, last use and expiry of a token. */
export const TokenFacts = ({ token }: { token: ListedToken }) => (
  <>
    <p>This token may:</p>
    <ScopeList scopes={token.scopes} />
    <dl class="facts">
      <div>
        <dt>Value</dt>
        <dd>
          <code>{token.hint}</code>
        </dd>
      </div>
      {token.previousValue && (
        <div>
          <dt>Old value</dt>
          <dd>
            <code>{token.previousValue.hint}</code> works until <DateTime at={token.previousValue.expiresAt} isExact />
          </dd>
        </div>
      )}
      <div>
        <dt>Created</dt>
        <dd>
          <DateTime at={token.createdAt} />
          {token.createdBy && (
            <>
              {' by '}
              <Name>{token.createdBy.name}</Name>
            </>
          )}
        </dd>
      </div>
      <div>
        <dt>Last used</dt>
        <dd>
          <DateTime at={token.lastUsedAt} />
        </dd>
      </div>
      {token.revokedAt ? (
        <div>
          <dt>Revoked</dt>
          <dd>
            <DateTime at={token.revokedAt} />
          </dd>
        </div>
      ) : (
        <div>
          <dt>Expires</dt>
          <dd>
            <DateTime at={token.expiresAt} />
          </dd>
        </div>
      )}
      {token.revokedTeams && token.revokedTeams.length > 0 && (
        <div>
          <dt>Cut off by an owner of</dt>
          <dd>{token.revokedTeams.join(', ')}</dd>
        </div>
      )}
    </dl>
  </>
)

interface TokenListProps {
  tokens: readonly ListedToken[]
  /** Path of the list. The page of a token is below it. */
  path: string
  now: Date
}

/** A list of tokens with their properties. */
export const TokenList = ({ tokens, path, now }: TokenListProps) => (
  <ul class="cards">
    {tokens.map((token) => {
      const state = tokenStateOf(token, now)
      return (
        <li class="card">
          <h2>
            <Name>{token.name}</Name> <span class="badge">{stateLabels[state]}</span>
          </h2>
          <TokenFacts token={token} />
          {state === 'works' && (
            <p>
              <a href={`${path}/${token.id}`}>
                Rotate or revoke
                <span class="visually-hidden">
                  {' '}
                  <bdi>{token.name}</bdi>
                </span>
              </a>
            </p>
          )}
        </li>
      )
    })}
  </ul>
)
