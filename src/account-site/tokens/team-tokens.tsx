import { page } from '../declaration.ts'
import { TeamTokensDocument } from '../generated/operations.ts'
import { pageOf } from '../page-links.tsx'
import type { Visit } from '../visit.ts'
import { isLive, TokenListing } from './token-listing.tsx'

/** Where the tokens of the visited team are. */
export const teamTokensPath = (visit: Visit) => `/teams/${visit.param('team')}/tokens`

/** The tokens of a team. */
export const teamTokens = page({
  path: '/teams/:team/tokens',
  title: 'Team tokens',
  nav: { in: 'team', label: 'Tokens', order: 50 },
  document: TeamTokensDocument,
  variables: (visit) => ({ team: visit.param('team'), live: isLive(visit), page: pageOf(visit.query) }),
  view: ({ team: { tokens } }, visit) => (
    <TokenListing visit={visit} tokens={tokens} create="Create a team token" none="The team has no token">
      A team token lets a service of the team act for the team, whoever made it. Its value begins with <code>tat_</code>.
    </TokenListing>
  ),
})
