import { copyScript } from '../../web/components/copy-button.tsx'
import { isolateName } from '../../web/display-name.ts'
import { page } from '../framework/page.ts'
import { PersonalTokenDocument, TeamTokenDocument } from '../generated/operations.ts'
import { personalTokensPath } from '../../web/page-paths.ts'
import { teamTokensPath } from './team-tokens.tsx'
import { tokenForms } from './token-forms.ts'
import { TokenPage } from './token-page.tsx'
import { TokenStatus } from './token-status.tsx'

/** A personal token, with forms to rename, rotate and revoke it. */
export const personalToken = page({
  path: `${personalTokensPath}/:token`,
  title: ({ viewer }) => isolateName(viewer.token.name),
  badge: ({ viewer }, { site }) => <TokenStatus token={viewer.token} now={site.now()} />,
  parent: personalTokensPath,
  scripts: [copyScript],
  document: PersonalTokenDocument,
  variables: (ctx) => ({ id: ctx.param('token') }),
  forms: tokenForms(() => personalTokensPath),
  view: ({ viewer }, ctx) => <TokenPage token={viewer.token} ctx={ctx} />,
})

/** A team token, with forms to rename, rotate and revoke it. */
export const teamToken = page({
  path: '/teams/:team/tokens/:token',
  title: ({ team }) => isolateName(team.token.name),
  badge: ({ team }, { site }) => <TokenStatus token={team.token} now={site.now()} />,
  parent: '/teams/:team/tokens',
  scripts: [copyScript],
  document: TeamTokenDocument,
  variables: (ctx) => ({ team: ctx.param('team'), id: ctx.param('token') }),
  forms: tokenForms(teamTokensPath),
  view: ({ team }, ctx) => <TokenPage token={team.token} ctx={ctx} />,
})
