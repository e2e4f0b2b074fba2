import { Name } from '../page.tsx'
import { ScopeList } from '../scope-words.tsx'
import { Moment } from '../time.tsx'

/** A token as its pages show it, a person's or a team's. Instants are RFC 3339. */
export interface ListedToken {
  id: string
  name: string
  /** Prefix and last four characters of the value. */
  hint: string
  scopes: readonly string[]
  /** Of a team's token; null where a machine made it or the account is gone. */
  createdBy?: { name: string } | null
  createdAt: string
  lastUsedAt: string | null
  expiresAt: string | null
  revokedAt: string | null
  /** When a new value took its place. */
  replacedAt: string | null
  /** Of a person's token: slugs of teams that it no longer reaches. */
  cutTeams?: readonly string[]
}

export type TokenState = 'works' | 'replaced' | 'rotated' | 'expired' | 'revoked'

export function stateOf({ revokedAt, expiresAt, replacedAt }: ListedToken, now: Date): TokenState {
  if (revokedAt) return 'revoked'
  const isOver = expiresAt !== null && new Date(expiresAt) <= now
  if (replacedAt) return isOver ? 'rotated' : 'replaced'
  return isOver ? 'expired' : 'works'
}

export const stateWords: Record<TokenState, string> = {
  works: 'Works',
  replaced: 'Rotated, works until it expires',
  rotated: 'Rotated',
  expired: 'Expired',
  revoked: 'Revoked',
}

/** What can still be done with a token, by its state. */
export const actionWords: Partial<Record<TokenState, string>> = { works: 'Rotate or revoke', replaced: 'Revoke' }

/** What there is to tell of a token: what it may do, who made it, when it was used and until when it works. */
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
      <div>
        <dt>Created</dt>
        <dd>
          <Moment at={token.createdAt} />
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
          <Moment at={token.lastUsedAt} />
        </dd>
      </div>
      {token.revokedAt ? (
        <div>
          <dt>Revoked</dt>
          <dd>
            <Moment at={token.revokedAt} />
          </dd>
        </div>
      ) : (
        <div>
          <dt>Expires</dt>
          <dd>
            <Moment at={token.expiresAt} />
          </dd>
        </div>
      )}
      {token.cutTeams && token.cutTeams.length > 0 && (
        <div>
          <dt>Cut off by an owner of</dt>
          <dd>{token.cutTeams.join(', ')}</dd>
        </div>
      )}
    </dl>
  </>
)

interface TokenListProps {
  tokens: readonly ListedToken[]
  /** Of the list; a token's own page is below it. */
  path: string
  now: Date
}

/** Tokens one below the other, each with all there is to tell. */
export const TokenList = ({ tokens, path, now }: TokenListProps) => (
  <ul class="cards">
    {tokens.map((token) => {
      const state = stateOf(token, now)
      return (
        <li class="card">
          <h2>
            <Name>{token.name}</Name> <span class="badge">{stateWords[state]}</span>
          </h2>
          <TokenFacts token={token} />
          {actionWords[state] && (
            <p>
              <a href={`${path}/${token.id}`}>
                {actionWords[state]}
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
