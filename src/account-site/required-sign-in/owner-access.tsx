import { z } from 'zod'
import { ownerAccessPath, passkeysPath, teamSignInAt } from '../../web/page-paths.ts'
import { readReturnAddress } from '../../web/return-address.ts'
import { text } from '../framework/field-types.ts'
import { form } from '../framework/form.ts'
import type { PageContext } from '../framework/page-context.ts'
import { page } from '../framework/page.ts'
import { OpenTeamAsOwnerDocument, OwnerAccessDocument } from '../generated/operations.ts'
import { PasskeyForm, passkeyScripts } from '../security/passkey-form.tsx'

const getTeamSlug = ({ query }: PageContext) => query.get('team') ?? ''

/** Lets an owner open a team with a passkey, although it requires sign-in through its identity provider. */
export const ownerAccess = page({
  path: ownerAccessPath,
  title: 'Open the team with your passkey',
  scripts: passkeyScripts,
  document: OwnerAccessDocument,
  forms: {
    open: form({
      fields: z.object({ response: text }),
      document: OpenTeamAsOwnerDocument,
      variables: ({ response }, ctx) => ({ input: { team: getTeamSlug(ctx), response } }),
      renewsSession: true,
      onSuccess: (_, ctx) => readReturnAddress(ctx),
    }),
  },
  view: ({ viewer: { passkeyConfirmation } }, ctx) => (
    <section>
      <p>
        This team requires sign-in through its identity provider. Owners can open it with a passkey instead, for example when the provider
        fails, until they sign out in this browser. The audit log records it, and the other owners receive an email.
      </p>
      {passkeyConfirmation === null ? (
        <p>
          You have no passkey. <a href={passkeysPath}>Add one</a>, ask another owner, or sign in through the provider.
        </p>
      ) : (
        <PasskeyForm name="open" ceremony="get" options={passkeyConfirmation} button="Open with your passkey" isUsual />
      )}
      <p>
        <a href={teamSignInAt(getTeamSlug(ctx), readReturnAddress(ctx))}>Sign in through the identity provider</a>
      </p>
    </section>
  ),
})
