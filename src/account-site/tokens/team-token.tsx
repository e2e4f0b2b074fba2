import { page } from '../declaration.ts'
import { TeamTokenDocument } from '../generated/operations.ts'
import { teamTokensPath } from './team-tokens.tsx'
import { tokenForms, TokenPage, tokenScripts } from './token-actions.tsx'

/** One token of a team. */
export const teamToken = page({
  path: '/teams/:team/tokens/:token',
  title: 'Team token',
  scripts: tokenScripts,
  document: TeamTokenDocument,
  variables: (visit) => ({ team: visit.param('team'), id: visit.param('token') }),
  forms: tokenForms(teamTokensPath),
  view: ({ team }, visit) => <TokenPage token={team.token} visit={visit} />,
})
