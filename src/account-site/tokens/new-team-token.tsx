import { copyScript } from '../copy-button.tsx'
import { form, page } from '../declaration.ts'
import { CreateTeamTokenDocument, TeamTokensDocument } from '../generated/operations.ts'
import { expiresAtOf } from './expiry.ts'
import { NewTokenForm, newTokenFields } from './new-token-form.tsx'
import { valuePage } from './shown-value.tsx'
import { teamTokensPath } from './team-tokens.tsx'

/** Makes a token of a team; its value is the answer. The list is read along: who may not see it may not add to it. */
export const newTeamToken = page({
  path: '/teams/:team/tokens/new',
  title: 'Create a team token',
  recentSignIn: true,
  scripts: [copyScript],
  document: TeamTokensDocument,
  variables: (visit) => ({ team: visit.param('team'), live: true, page: 1 }),
  forms: {
    create: form({
      fields: newTokenFields,
      document: CreateTeamTokenDocument,
      variables: ({ name, scopes, idempotencyKey, ...chosen }, visit) => ({
        input: { team: visit.param('team'), name, scopes, idempotencyKey, expiresAt: expiresAtOf(chosen, visit.site.now()) },
      }),
      done: ({ createTeamToken }, visit) => valuePage(createTeamToken, teamTokensPath(visit)),
    }),
  },
  view: (_, visit) => <NewTokenForm visit={visit} mayLast />,
})
