import { page } from '../declaration.ts'
import { PersonalTokenDocument } from '../generated/operations.ts'
import { personalTokensPath } from './personal-tokens.tsx'
import { tokenForms, TokenPage, tokenScripts } from './token-actions.tsx'

/** One token of the person's own. */
export const personalToken = page({
  path: `${personalTokensPath}/:token`,
  title: 'Personal token',
  scripts: tokenScripts,
  document: PersonalTokenDocument,
  variables: (visit) => ({ id: visit.param('token') }),
  forms: tokenForms(() => personalTokensPath),
  view: ({ viewer }, visit) => <TokenPage token={viewer.token} visit={visit} />,
})
