import { page } from '../declaration.ts'
import { PersonalTokensDocument } from '../generated/operations.ts'
import { pageOf } from '../page-links.tsx'
import { isLive, TokenListing } from './token-listing.tsx'

export const personalTokensPath = '/tokens'

/** The person's own tokens. */
export const personalTokens = page({
  path: personalTokensPath,
  title: 'Personal tokens',
  nav: { in: 'account', label: 'Personal tokens', order: 30 },
  document: PersonalTokensDocument,
  variables: (visit) => ({ live: isLive(visit), page: pageOf(visit.query) }),
  view: ({ viewer: { tokens } }, visit) => (
    <TokenListing visit={visit} tokens={tokens} create="Create a personal token" none="You have no personal token">
      A personal token lets a script of yours act for you, in all your teams, as far as its scopes and your roles go. Its value begins with{' '}
      <code>pat_</code>.
    </TokenListing>
  ),
})
