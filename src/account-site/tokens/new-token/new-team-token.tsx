import { copyScript } from '../../../web/components/copy-button.tsx'
import { form } from '../../framework/form.ts'
import { page } from '../../framework/page.ts'
import { CreateTeamTokenDocument, TeamTokensDocument } from '../../generated/operations.ts'
import { expiresAtOf } from '../expiry.ts'
import { NewTokenForm, newTokenFields } from './new-token-form.tsx'
import { tokenValuePage } from '../token-value-page.tsx'
import { teamTokensPath } from '../team-tokens.tsx'

/** Creates a team token and shows its value once. The page queries the token list, so that only users who can see it get the form. */
export const newTeamToken = page({
  path: '/teams/:team/tokens/new',
  title: 'Create a team token',
  parent: '/teams/:team/tokens',
  recentSignIn: true,
  scripts: [copyScript],
  document: TeamTokensDocument,
  variables: (ctx) => ({ team: ctx.param('team'), live: true, page: 1, perPage: 1 }),
  forms: {
    create: form({
      fields: newTokenFields,
      document: CreateTeamTokenDocument,
      variables: ({ name, scopes, idempotencyKey, ...chosen }, ctx) => {
        return { input: { team: ctx.param('team'), name, scopes, idempotencyKey, expiresAt: expiresAtOf(chosen, ctx.site.now()) } }
      },
      onSuccess: ({ createTeamToken }, ctx) => tokenValuePage(createTeamToken, teamTokensPath(ctx)),
    }),
  },
  view: (_, ctx) => <NewTokenForm ctx={ctx} canBeUnlimited />,
})
