import { invalid } from '../../../schema/errors.ts'
import { copyScript } from '../copy-button.tsx'
import { form, page } from '../declaration.ts'
import { CreatePersonalTokenDocument } from '../generated/operations.ts'
import { expiresAtOf } from './expiry.ts'
import { NewTokenForm, newTokenFields } from './new-token-form.tsx'
import { personalTokensPath } from './personal-tokens.tsx'
import { valuePage } from './shown-value.tsx'

/** Makes a token of the person's own; its value is the answer. */
export const newPersonalToken = page({
  path: `${personalTokensPath}/new`,
  title: 'Create a personal token',
  recentSignIn: true,
  scripts: [copyScript],
  forms: {
    create: form({
      fields: newTokenFields,
      document: CreatePersonalTokenDocument,
      variables: ({ name, scopes, idempotencyKey, ...chosen }, { site }) => {
        const expiresAt = expiresAtOf(chosen, site.now())
        if (expiresAt === null) throw invalid({ expiresAt: ['A personal token works for a year at most.'] })
        return { input: { name, scopes, expiresAt, idempotencyKey } }
      },
      done: ({ createPersonalToken }) => valuePage(createPersonalToken, personalTokensPath),
    }),
  },
  view: (_, visit) => <NewTokenForm visit={visit} mayLast={false} />,
})
