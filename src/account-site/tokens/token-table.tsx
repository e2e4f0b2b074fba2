import { ScopeSummary } from '../../web/components/scope-list.tsx'
import { DateTime, RelativeTime } from '../../web/components/time.tsx'
import { defineTable } from '../table/declaration.ts'
import type { ListedToken } from './listed-token.ts'
import { RevokeToken } from './revoke-token.tsx'
import { TokenEnd, getTokenState } from './token-status.tsx'

interface TokenTableOptions {
  /** Hint while there is no token. */
  empty: string
  /** True to show who created a token. */
  hasCreator: boolean
}

/** A table of personal or team tokens. */
export const tokenTable = ({ empty, hasCreator }: TokenTableOptions) =>
  defineTable({
    noun: ['token', 'tokens'],
    getName: ({ name }: ListedToken) => name,
    search: 'Name',
    // Expired and revoked tokens accumulate, so they are listed only on request.
    filters: { all: { label: 'Status', none: 'Active', options: { yes: 'Active, expired and revoked' } } },
    columns: [
      {
        label: 'Name',
        phone: 'name',
        sort: 'NAME',
        cell: ({ id, name, hint, previousValue }, { path }) => (
          <>
            <a href={`${path}/${id}`}>
              <bdi>{name}</bdi>
            </a>{' '}
            <code class="about">{hint}</code>
            {previousValue && (
              <small class="about">
                Old value active until <DateTime at={previousValue.expiresAt} />
              </small>
            )}
          </>
        ),
      },
      { label: 'Permissions', phone: 'detail', cell: ({ scopes }) => <ScopeSummary scopes={scopes} /> },
      {
        label: 'Last used',
        phone: 'detail',
        sort: 'LAST_USED',
        descendsFirst: true,
        cell: ({ lastUsedAt }) => <RelativeTime at={lastUsedAt} />,
      },
      {
        label: 'Expires',
        phone: 'labelled state',
        sort: 'EXPIRES',
        orders: ['soonest first', 'latest first'],
        cell: (token, { site }) => <TokenEnd token={token} now={site.now()} />,
      },
      {
        label: 'Created',
        phone: 'detail',
        sort: 'CREATED',
        descendsFirst: true,
        cell: ({ createdAt, createdBy }) => (
          <>
            <RelativeTime at={createdAt} />
            {hasCreator && <div class="creator">by {createdBy ? <bdi>{createdBy.name}</bdi> : 'an unknown person'}</div>}
          </>
        ),
      },
    ],
    sort: 'CREATED',
    isDescending: true,
    empty,
    menu: (token, { path, site }) =>
      getTokenState(token, site.now()) === 'active' && (
        <>
          <a href={`${path}/${token.id}#rename`}>Edit name</a>
          <a href={`${path}/${token.id}#rotate`}>Rotate token</a>
          <RevokeToken token={token} summary="Revoke" />
        </>
      ),
  })
