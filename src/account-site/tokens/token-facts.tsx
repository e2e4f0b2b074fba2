import type { ComponentChildren } from 'preact'
import { Name } from '../../web/components/address.tsx'
import { ScopeList } from '../../web/components/scope-list.tsx'
import { DateTime, RelativeTime } from '../../web/components/time.tsx'
import type { ListedToken } from './listed-token.ts'

const Fact = ({ label, children }: { label: string; children: ComponentChildren }) => (
  <div>
    <dt>{label}</dt>
    <dd>{children}</dd>
  </div>
)

/** Permissions, values, creator, teams, last use and expiry of a token. */
export const TokenFacts = ({ token }: { token: ListedToken }) => (
  <dl class="facts">
    {token.teams !== undefined && <Fact label="Teams">{teamsText(token.teams)}</Fact>}
    <Fact label="Value">
      <code>{token.hint}</code>
    </Fact>
    {token.previousValue && (
      <Fact label="Old value">
        <code>{token.previousValue.hint}</code>, active until <DateTime at={token.previousValue.expiresAt} />
      </Fact>
    )}
    <Fact label="Created">
      <RelativeTime at={token.createdAt} />
      {token.createdBy && (
        <>
          {' by '}
          <Name>{token.createdBy.name}</Name>
        </>
      )}
    </Fact>
    <Fact label="Last used">
      <RelativeTime at={token.lastUsedAt} />
    </Fact>
    {token.revokedAt ? (
      <Fact label="Revoked">
        <RelativeTime at={token.revokedAt} />
      </Fact>
    ) : (
      <Fact label="Expires">
        <DateTime at={token.expiresAt} />
      </Fact>
    )}
    {token.revokedTeams && token.revokedTeams.length > 0 && (
      <Fact label="Access revoked">by an owner of {token.revokedTeams.join(', ')}</Fact>
    )}
    <Fact label="Permissions">
      <ScopeList scopes={token.scopes} />
    </Fact>
  </dl>
)

function teamsText(teams: readonly string[] | null): string {
  if (teams === null) return 'All your teams'
  return teams.length === 0 ? 'None: you left the selected teams, or they were deleted' : teams.join(', ')
}
