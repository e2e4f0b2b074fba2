import { teamTokenScopes } from '../../../../schema/core/scopes.ts'
import { copyScript } from '../../../web/components/copy-button.tsx'
import { form } from '../../framework/form.ts'
import { page } from '../../framework/page.ts'
import { CreateTeamTokenDocument, SimilarTeamTokensDocument } from '../../generated/operations.ts'
import { expiresAtOf } from '../expiry.ts'
import { expiryScript } from './expiry-field.tsx'
import { NewTokenForm, newTokenFields } from './new-token-form.tsx'
import { presetScript, withPresets } from './presets.tsx'
import { tokenValuePage } from '../token-value-page.tsx'
import { teamTokensPath } from '../team-tokens.tsx'

/** Creates a team token and shows its value once. The page queries the team's tokens, so that only users who can see it get the form. */
export const newTeamToken = page({
  path: '/teams/:team/tokens/new',
  title: 'Create a team token',
  parent: '/teams/:team/tokens',
  recentSignIn: true,
  scripts: [copyScript, presetScript, expiryScript],
  document: SimilarTeamTokensDocument,
  variables: (ctx) => ({ team: ctx.param('team') }),
  forms: {
    create: withPresets(
      form({
        fields: newTokenFields,
        document: CreateTeamTokenDocument,
        variables: ({ name, scopes, idempotencyKey, ...chosen }, ctx) => {
          return { input: { team: ctx.param('team'), name, scopes, idempotencyKey, expiresAt: expiresAtOf(chosen, ctx.site.now()) } }
        },
        onSuccess: ({ createTeamToken }, ctx) => tokenValuePage(createTeamToken, teamTokensPath(ctx)),
      }),
    ),
  },
  view: ({ team }, ctx) => <NewTokenForm ctx={ctx} tokens={team.tokens.nodes} scopes={teamTokenScopes} canBeUnlimited />,
})
