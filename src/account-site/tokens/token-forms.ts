import { z } from 'zod'
import { seconds, text } from '../framework/field-types.ts'
import { form } from '../framework/form.ts'
import type { PageContext } from '../framework/page-context.ts'
import { RenameTokenDocument, RotateTokenDocument } from '../generated/operations.ts'
import { revokeToken } from './revoke-token.tsx'
import { tokenValuePage } from './token-value-page.tsx'
import { quoteName } from '../../web/display-name.ts'

/** The forms of a token's page. `listPath` returns the path of its list. */
export const tokenForms = (listPath: (ctx: PageContext) => string) => ({
  rename: form({
    fields: z.object({ name: text }),
    document: RenameTokenDocument,
    variables: ({ name }, ctx) => ({ input: { id: ctx.param('token'), name } }),
    notice: (_, __, { name }) => `The token is now called ${quoteName(name)}.`,
  }),
  rotate: form({
    fields: z.object({ overlapSeconds: seconds, idempotencyKey: text }),
    document: RotateTokenDocument,
    variables: ({ overlapSeconds, idempotencyKey }, ctx) => ({
      input: { id: ctx.param('token'), overlapSeconds, idempotencyKey },
    }),
    onSuccess: ({ rotateToken }, ctx) => tokenValuePage(rotateToken, listPath(ctx)),
  }),
  revoke: revokeToken(listPath),
})
