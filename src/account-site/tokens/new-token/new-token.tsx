import { personalTokenScopes, teamTokenScopes } from '../../../../schema/core/scopes.ts'
import { z } from 'zod'
import { invalid } from '../../../../schema/core/errors.ts'
import { Choices } from '../../../web/components/forms/choices.tsx'
import { FieldGroup } from '../../../web/components/forms/field-group.tsx'
import { copyScript } from '../../../web/components/copy-button.tsx'
import { Name } from '../../../web/components/address.tsx'
import { personalTokensPath } from '../../../web/page-paths.ts'
import { list, text } from '../../framework/field-types.ts'
import { form } from '../../framework/form.ts'
import type { PageContext } from '../../framework/page-context.ts'
import { page } from '../../framework/page.ts'
import {
  CreatePersonalTokenDocument,
  SimilarPersonalTokensDocument,
  CreateTeamTokenDocument,
  SimilarTeamTokensDocument,
} from '../../generated/operations.ts'
import { getPersonalExpiry, getExpiresAt } from '../expiry.ts'
import { expiryScript } from './expiry-field.tsx'
import { NewTokenForm, newTokenFields } from './new-token-form.tsx'
import { presetScript, withPresets } from './presets.tsx'
import { tokenValuePage } from '../token-value-page.tsx'
import { teamTokensPath } from '../token-lists.tsx'

/** Creates a personal token and shows its value once. */
export const newPersonalToken = page({
  path: `${personalTokensPath}/new`,
  title: 'Create a personal token',
  parent: personalTokensPath,
  recentSignIn: true,
  scripts: [copyScript, presetScript, expiryScript],
  document: SimilarPersonalTokensDocument,
  forms: {
    create: withPresets(
      form({
        fields: newTokenFields.extend({ reach: z.enum(['all', 'chosen']).catch('all'), teams: list, day: text }),
        document: CreatePersonalTokenDocument,
        variables: ({ name, scopes, idempotencyKey, reach, teams, ...expiry }, { site }) => {
          if (reach === 'chosen' && teams.length === 0) throw invalid({ teams: ['Choose at least one team.'] })
          const expiresAt = getPersonalExpiry(expiry, site.now())
          return { input: { name, scopes, expiresAt, idempotencyKey, ...(reach === 'chosen' && { teams }) } }
        },
        onSuccess: ({ createPersonalToken }) => tokenValuePage(createPersonalToken, personalTokensPath),
      }),
    ),
  },
  view: ({ viewer }, ctx) => (
    <NewTokenForm ctx={ctx} tokens={viewer.tokens.nodes} canBeUnlimited={false} scopes={personalTokenScopes(ctx.person?.staffRole ?? null)}>
      <TeamChoice ctx={ctx} />
    </NewTokenForm>
  ),
})

const TeamChoice = ({ ctx: { teams } }: { ctx: PageContext }) => (
  <FieldGroup id="teams" title="Teams" about="The token reaches only these teams. It never has more permissions than you have in a team.">
    <Choices
      name="reach"
      legend="Teams"
      isLegendHidden
      type="radio"
      options={[
        { value: 'all', label: 'All your teams', hint: 'Including teams that you join later.' },
        { value: 'chosen', label: 'Only selected teams', opens: true },
      ]}
      checked={['all']}
    />
    <div class="opened">
      <Choices
        name="teams"
        legend="Selected teams"
        noun="team"
        type="checkbox"
        options={teams.map(({ team: { slug, name } }) => ({ value: slug, label: <Name>{name}</Name>, hint: slug }))}
      />
    </div>
  </FieldGroup>
)

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
        variables: ({ name, scopes, idempotencyKey, ...expiry }, ctx) => {
          return { input: { team: ctx.param('team'), name, scopes, idempotencyKey, expiresAt: getExpiresAt(expiry, ctx.site.now()) } }
        },
        onSuccess: ({ createTeamToken }, ctx) => tokenValuePage(createTeamToken, teamTokensPath(ctx)),
      }),
    ),
  },
  view: ({ team }, ctx) => <NewTokenForm ctx={ctx} tokens={team.tokens.nodes} scopes={teamTokenScopes} canBeUnlimited />,
})
