import { z } from 'zod'
import { ConfirmDialog } from '../../web/components/confirm-dialog.tsx'
import { quoteName } from '../../web/display-name.ts'
import { text } from '../framework/field-types.ts'
import { form } from '../framework/form.ts'
import type { PageContext } from '../framework/page-context.ts'
import { RevokeTokenDocument } from '../generated/operations.ts'
import type { ListedToken } from './listed-token.ts'

/** Revokes a token. The list of tokens and the page of the token have this form. `listPath` returns the path of the list. */
export const revokeToken = (listPath: (ctx: PageContext) => string) =>
  form({
    fields: z.object({ id: text }),
    document: RevokeTokenDocument,
    variables: (input) => ({ input }),
    notice: ({ revokeToken: { token } }) => `The token ${quoteName('name' in token ? token.name : '')} was revoked.`,
    onSuccess: (_, ctx) => listPath(ctx),
  })

/** The link to the confirmation, which describes the consequences. A page with this link must declare the form `revoke`. */
export const RevokeToken = ({ token: { id, name, previousValue }, summary }: { token: ListedToken; summary: string }) => (
  <ConfirmDialog summary={summary} objectName={name} form="revoke" hidden={{ id }} button="Revoke token">
    Everything that uses the token{previousValue ? ', or its old value,' : ''} stops working immediately. You cannot undo this.
  </ConfirmDialog>
)
