import { invalid } from '../../../schema/core/errors.ts'
import { copyScript } from '../../web/components/copy-button.tsx'
import { form } from '../framework/form.ts'
import { page } from '../framework/page.ts'
import { CreatePersonalTokenDocument } from '../generated/operations.ts'
import { expiresAtOf } from './expiry.ts'
import { NewTokenForm, newTokenFields } from './new-token-form.tsx'
import { personalTokensPath } from '../../web/page-paths.ts'
import { tokenValuePage } from './token-value-page.tsx'

/** Creates a personal token and shows its value once. */
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
      onSuccess: ({ createPersonalToken }) => tokenValuePage(createPersonalToken, personalTokensPath),
    }),
  },
  view: (_, ctx) => <NewTokenForm ctx={ctx} canBeUnlimited={false} />,
})
