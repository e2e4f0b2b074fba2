import { z } from 'zod'
import { ConfirmDialog } from '../../web/components/confirm-dialog.tsx'
import { Button, Buttons } from '../../web/components/forms/button.tsx'
import { FieldGroup } from '../../web/components/forms/field-group.tsx'
import { passwordScript } from '../../web/components/forms/field.tsx'
import { Form } from '../../web/components/forms/form.tsx'
import { DateTime } from '../../web/components/time.tsx'
import { form } from '../framework/form.ts'
import type { PageContext } from '../framework/page-context.ts'
import { page } from '../framework/page.ts'
import { DeleteIdentityProviderDocument, SignInProviderDocument, UpdateIdentityProviderDocument } from '../generated/operations.ts'
import type { SignInProviderQuery } from '../generated/operations.ts'
import { MembershipFields, MetadataField, OpenIdFields, openIdFields, ProviderName, samlFields } from './provider-fields.tsx'
import { providerPage, providerSettingsPath } from './provider-page.tsx'

type Provider = SignInProviderQuery['team']['identityProvider']

const getId = (ctx: PageContext) => ctx.param('provider')
const savedNotice = ({
  updateIdentityProvider: { identityProvider },
}: {
  updateIdentityProvider: { identityProvider: { testedAt: string | null } }
}) => (identityProvider.testedAt === null ? 'The settings were saved. Test the sign-in.' : 'The settings were saved.')

/** The settings of an identity provider at this service, and its deletion. */
export const signInProviderSettings = page({
  ...providerPage,
  path: providerSettingsPath,
  scripts: [passwordScript],
  document: SignInProviderDocument,
  forms: {
    oidc: form({
      fields: openIdFields,
      document: UpdateIdentityProviderDocument,
      variables: ({ clientSecret, ...fields }, ctx) => ({
        input: { id: getId(ctx), ...fields, ...(clientSecret.trim() !== '' && { clientSecret }) },
      }),
      notice: savedNotice,
    }),
    saml: form({
      fields: samlFields,
      document: UpdateIdentityProviderDocument,
      variables: ({ metadata, ...fields }, ctx) => ({
        input: { id: getId(ctx), ...fields, ...(metadata.trim() !== '' && { metadata }) },
      }),
      notice: savedNotice,
    }),
    delete: form({
      fields: z.object({}),
      document: DeleteIdentityProviderDocument,
      variables: (_, ctx) => ({ input: { id: getId(ctx) } }),
      notice: 'The identity provider was deleted.',
      onSuccess: (_, ctx) => `/teams/${ctx.param('team')}/sign-in`,
    }),
  },
  view: ({ team: { identityProvider } }) => (
    <>
      <SettingsForm provider={identityProvider} />
      <DeleteSection provider={identityProvider} />
    </>
  ),
})

const SettingsForm = ({ provider }: { provider: Provider }) => (
  <Form name={provider.kind === 'OIDC' ? 'oidc' : 'saml'}>
    {provider.kind === 'OIDC' ? (
      <FieldGroup
        id="oidc"
        title="Identity provider"
        about="If you change the issuer, the client ID or the secret, test the sign-in again. After a change of the issuer, members must confirm their accounts again."
      >
        <ProviderName value={provider.name} />
        <OpenIdFields issuer={provider.issuer} clientId={provider.clientId ?? ''} hasSecret={provider.hasClientSecret} />
      </FieldGroup>
    ) : (
      <FieldGroup id="saml" title="Identity provider" about="The certificates come from the metadata of the identity provider.">
        <ProviderName value={provider.name} />
        <Certificates provider={provider} />
        <MetadataField isStored />
      </FieldGroup>
    )}
    <FieldGroup id="members" title="Members" about="What a sign-in through the identity provider means for the membership.">
      <MembershipFields {...provider} />
    </FieldGroup>
    <Buttons>
      <Button>Save</Button>
    </Buttons>
  </Form>
)

const Certificates = ({ provider: { issuer, certificates } }: { provider: Provider }) => (
  <dl>
    <dt>Entity ID of the identity provider</dt>
    <dd>
      <code>{issuer}</code>
    </dd>
    {certificates.map(({ subject, fingerprint, expiresAt }) => (
      <>
        <dt>
          Certificate <bdi>{subject}</bdi>
        </dt>
        <dd>
          Expires <DateTime at={expiresAt} />. SHA-256 fingerprint: <code>{fingerprint}</code>
        </dd>
      </>
    ))}
  </dl>
)

const DeleteSection = ({ provider: { name, linkedUsers } }: { provider: Provider }) => (
  <FieldGroup
    id="delete"
    title="Delete this identity provider"
    about="No one can sign in through this identity provider anymore. Members stay in the team, and their accounts are not deleted."
    isDangerous
  >
    <ConfirmDialog summary="Delete…" objectName={name} form="delete" button="Delete this identity provider">
      {linkedUsers === 0
        ? 'No user has signed in through it yet.'
        : `${linkedUsers === 1 ? 'One user' : `${linkedUsers.toLocaleString('en')} users`} can no longer sign in this way. Those without a password need a link by email to choose one.`}{' '}
      You cannot undo this.
    </ConfirmDialog>
  </FieldGroup>
)
