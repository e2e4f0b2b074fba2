import { z } from 'zod'
import { ConfirmDialog } from '../../web/components/confirm-dialog.tsx'
import { copyScript } from '../../web/components/copy-button.tsx'
import { Fact, Facts } from '../../web/components/facts.tsx'
import { Button, Buttons } from '../../web/components/forms/button.tsx'
import { FieldGroup } from '../../web/components/forms/field-group.tsx'
import { FoldedSection } from '../../web/components/forms/folded-section.tsx'
import { Form } from '../../web/components/forms/form.tsx'
import { passwordScript } from '../../web/components/forms/field.tsx'
import { DateTime, RelativeTime } from '../../web/components/time.tsx'
import { isolateName } from '../../web/display-name.ts'
import { returnParameter } from '../../web/return-address.ts'
import { form } from '../framework/form.ts'
import type { PageContext } from '../framework/page-context.ts'
import { page } from '../framework/page.ts'
import { DeleteIdentityProviderDocument, SignInProviderDocument, UpdateIdentityProviderDocument } from '../generated/operations.ts'
import type { SignInProviderQuery } from '../generated/operations.ts'
import { addressValues, CopiedValues } from './copied-value.tsx'
import { LastSignIn, signInSettingsPath } from './sign-in-overview.tsx'
import { MembershipFields, MetadataField, ProviderName, openIdFields, OpenIdFields, samlFields } from './provider-fields.tsx'
import { nextStep, protocolAndHost, ProviderStateBadge } from './provider-state.tsx'

type Provider = SignInProviderQuery['team']['identityProvider']

const getId = (ctx: PageContext) => ctx.param('provider')
const savedNotice = ({
  updateIdentityProvider: { identityProvider },
}: {
  updateIdentityProvider: { identityProvider: { testedAt: string | null } }
}) => (identityProvider.testedAt === null ? 'The settings were saved. Test the sign-in.' : 'The settings were saved.')

/** Returns the address that starts a test sign-in, which ends on the page with its result. */
export const testAt = (path: string, providerId: string) =>
  `/sign-in/start/${providerId}?${new URLSearchParams({ [returnParameter]: `${path}/test`, purpose: 'test' })}`

/** An identity provider: its state, the test sign-in, the values to enter there, and the forms to change and delete it. */
export const signInProvider = page({
  path: `${signInSettingsPath}/:provider`,
  title: ({ team: { identityProvider } }) => isolateName(identityProvider.name),
  badge: ({ team: { identityProvider } }) => <ProviderStateBadge {...identityProvider} />,
  parent: signInSettingsPath,
  scripts: [copyScript, passwordScript],
  document: SignInProviderDocument,
  variables: (ctx) => ({ team: ctx.param('team'), id: getId(ctx) }),
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
  view: ({ team: { identityProvider } }, ctx) => (
    <>
      <StateSection provider={identityProvider} ctx={ctx} />
      <section>
        <h2>At your identity provider</h2>
        <p>Enter these URLs of this service there, exactly as they are.</p>
        <CopiedValues values={addressValues(identityProvider)} />
      </section>
      <SettingsSection provider={identityProvider} />
      <DeleteSection provider={identityProvider} />
    </>
  ),
})

const StateSection = ({ provider, ctx }: { provider: Provider; ctx: PageContext }) => {
  const step = nextStep(provider)
  return (
    <section>
      {step !== null && <p class="caution">{step}</p>}
      <Facts>
        <Fact name="Protocol">{protocolAndHost(provider)}</Fact>
        <Fact name="Users">{provider.linkedUsers.toLocaleString('en')}</Fact>
        <Fact name="Last sign-in">
          <LastSignIn at={provider.lastSignInAt} />
        </Fact>
        <Fact name="Last successful test">
          {provider.testedAt === null ? 'None since the last change' : <RelativeTime at={provider.testedAt} />}
        </Fact>
        <Fact name="Created">
          <RelativeTime at={provider.createdAt} />
        </Fact>
      </Facts>
      {provider.disabledAt === null && (
        <>
          <p>
            A test signs you in at the identity provider and shows what it says about you. It changes neither your account nor your sign-in
            here.
          </p>
          <Buttons>
            <a class="button" href={testAt(ctx.path, provider.providerId)}>
              Test sign-in
            </a>
            <a class="button second" href={`${ctx.path}/test`}>
              Last result
            </a>
          </Buttons>
        </>
      )}
    </section>
  )
}

const SettingsSection = ({ provider }: { provider: Provider }) => (
  <FoldedSection id={provider.kind === 'OIDC' ? 'oidc' : 'saml'} title="Settings at this service">
    {provider.kind === 'OIDC' ? (
      <Form name="oidc">
        <FieldGroup
          id="connection"
          title="Connection"
          about="If you change the issuer, the client ID or the secret, test the sign-in again. After a change of the issuer, members must confirm their accounts again."
        >
          <ProviderName value={provider.name} />
          <OpenIdFields issuer={provider.issuer} clientId={provider.clientId ?? ''} hasSecret={provider.hasClientSecret} />
        </FieldGroup>
        <MembershipGroup provider={provider} />
        <Buttons>
          <Button>Save</Button>
        </Buttons>
      </Form>
    ) : (
      <Form name="saml">
        <FieldGroup id="connection" title="Connection" about="After a change of the metadata, test the sign-in again.">
          <ProviderName value={provider.name} />
          <Certificates provider={provider} />
          <MetadataField isStored />
        </FieldGroup>
        <MembershipGroup provider={provider} />
        <Buttons>
          <Button>Save</Button>
        </Buttons>
      </Form>
    )}
  </FoldedSection>
)

const MembershipGroup = ({ provider }: { provider: Provider }) => (
  <FieldGroup id="membership" title="Members" about="What happens to the membership of a user who signs in.">
    <MembershipFields {...provider} />
  </FieldGroup>
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
