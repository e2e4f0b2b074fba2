import { z } from 'zod'
import type { Scope } from '../../../../schema/core/scopes.ts'
import { seconds, text } from '../../framework/field-types.ts'
import { form } from '../../framework/form.ts'
import { CreateTeamTokenDocument, RotateTokenDocument } from '../../generated/operations.ts'
import { tokenValuePage } from '../../tokens/token-value-page.tsx'

const scopes: Scope[] = ['acct:team:scim']

/**
 * The forms of the directory's token, which is a team token with one scope. It does not expire, because directories do not renew their
 * tokens: one with an expiration is created among the team tokens.
 */
export const directoryForms = {
  create: form({
    fields: z.object({ idempotencyKey: text }),
    document: CreateTeamTokenDocument,
    variables: ({ idempotencyKey }, ctx) => ({
      input: { team: ctx.param('team'), name: 'Directory', scopes, expiresAt: null, idempotencyKey },
    }),
    onSuccess: ({ createTeamToken }, ctx) => tokenValuePage(createTeamToken, ctx.path),
  }),
  rotate: form({
    fields: z.object({ id: text, overlapSeconds: seconds, idempotencyKey: text }),
    document: RotateTokenDocument,
    variables: (input) => ({ input }),
    onSuccess: ({ rotateToken }, ctx) => tokenValuePage(rotateToken, ctx.path),
  }),
}
