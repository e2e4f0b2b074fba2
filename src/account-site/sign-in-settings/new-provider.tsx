import { buildAcsUrl, buildEntityId, buildRedirectUri } from '../../../schema/identity-providers/addresses.ts'
import { readReservation, reserveProvider } from '../../../schema/identity-providers/administration/reservation.ts'
import { Avatar } from '../../web/components/avatar.tsx'
import { copyScript } from '../../web/components/copy-button.tsx'
import { Button, Buttons } from '../../web/components/forms/button.tsx'
import { passwordScript } from '../../web/components/forms/field.tsx'
import { FieldGroup } from '../../web/components/forms/field-group.tsx'
import { Form } from '../../web/components/forms/form.tsx'
import { text } from '../framework/field-types.ts'
import { form } from '../framework/form.ts'
import type { PageContext } from '../framework/page-context.ts'
import { page } from '../framework/page.ts'
import { ProviderLogo } from '../providers/provider-logo.tsx'
import { CreateIdentityProviderDocument, SignInSettingsDocument } from '../generated/operations.ts'
import { addressValues, CopiedValues } from './copied-value.tsx'
import { entra } from './guides/entra.tsx'
import { google } from './guides/google.tsx'
import type { DescribedProvider, Protocol } from './guides/guide.ts'
import { keycloak } from './guides/keycloak.tsx'
import { okta } from './guides/okta.tsx'
import { other } from './guides/other.tsx'
import { signInSettingsPath } from './sign-in-overview.tsx'
import { MembershipFields, MetadataField, ProviderName, openIdFields, OpenIdFields, plainIssuer, samlFields } from './provider-fields.tsx'

const providers = { entra, okta, google, keycloak, other } as const satisfies Record<string, DescribedProvider>
type Name = keyof typeof providers
const isName = (name: string | null): name is Name => name !== null && Object.hasOwn(providers, name)

interface Card {
  name: Name
  /** The protocol of the guide that the card opens. The guide links to the other one. */
  protocol: Protocol
  label: string
  about: string
  /** Key of the logo of a public provider. Without one, the card has the initials of its label. */
  logo?: string
}

const cards: readonly Card[] = [
  { name: 'okta', protocol: 'oidc', label: okta.label, about: 'Okta Workforce Identity' },
  { name: 'entra', protocol: 'oidc', label: entra.label, about: 'Microsoft 365, formerly Azure Active Directory', logo: 'microsoft' },
  { name: 'google', protocol: 'oidc', label: google.label, about: 'Google accounts of your organization', logo: 'google' },
  { name: 'keycloak', protocol: 'oidc', label: keycloak.label, about: 'A server of your own' },
  { name: 'other', protocol: 'oidc', label: 'Other OpenID Connect', about: 'Any provider with OpenID Connect' },
  { name: 'other', protocol: 'saml', label: 'Other SAML', about: 'Any provider with SAML 2.0' },
]

const readProviderName = ({ query }: PageContext): Name | null => {
  const name = query.get('provider')
  return isName(name) ? name : null
}
const getProtocol = ({ query }: PageContext): Protocol => (query.get('protocol') === 'saml' ? 'saml' : 'oidc')
/** Returns the reservation. It is in the address of the page, which must show the same addresses when it is loaded again. */
const reservationIn = ({ query }: PageContext): string => query.get('reservation') ?? ''
const reservedId = (ctx: PageContext) => (ctx.team ? readReservation(ctx.site, ctx.team.team.id, reservationIn(ctx))?.id : undefined)
const at = (path: string, name: Name, protocol: Protocol, reservation: string) =>
  `${path}?${new URLSearchParams({ provider: name, protocol, reservation })}`

const input = (ctx: PageContext) => ({ team: ctx.param('team'), reservation: reservationIn(ctx) })
const notice = 'The identity provider was added. Test the sign-in now.'
const onSuccess = (
  { createIdentityProvider }: { createIdentityProvider: { identityProvider: { providerId: string } } },
  ctx: PageContext,
) => `/teams/${ctx.param('team')}/sign-in/${createIdentityProvider.identityProvider.providerId}`

/** Adds an identity provider: first the choice, then a guide and the form. The page queries the providers, which only owners can see. */
export const newSignInProvider = page({
  path: `${signInSettingsPath}/new`,
  title: 'New identity provider',
  parent: signInSettingsPath,
  recentSignIn: true,
  scripts: [copyScript, passwordScript],
  document: SignInSettingsDocument,
  variables: (ctx) => ({ team: ctx.param('team') }),
  load(ctx) {
    const name = readProviderName(ctx)
    if (name === null || !ctx.team || reservedId(ctx) !== undefined) return undefined
    return at(ctx.path, name, getProtocol(ctx), reserveProvider(ctx.site, ctx.team.team.id))
  },
  forms: {
    oidc: form({
      fields: openIdFields.extend({ issuer: text }),
      document: CreateIdentityProviderDocument,
      variables({ issuer, ...fields }, ctx) {
        const provider: DescribedProvider = providers[readProviderName(ctx) ?? 'other']
        const entered = issuer.trim()
        return {
          input: { ...input(ctx), kind: 'OIDC' as const, ...fields, issuer: provider.issuer ?? provider.getIssuer?.(entered) ?? entered },
        }
      },
      notice,
      onSuccess,
    }),
    saml: form({
      fields: samlFields,
      document: CreateIdentityProviderDocument,
      variables: (fields, ctx) => ({ input: { ...input(ctx), kind: 'SAML' as const, ...fields } }),
      notice,
      onSuccess,
    }),
  },
  view(_, ctx) {
    const name = readProviderName(ctx)
    return name === null ? <Choice path={ctx.path} /> : <Guided name={name} ctx={ctx} />
  },
})

const Choice = ({ path }: { path: string }) => (
  <>
    <p>Which identity provider does your organization use?</p>
    <ul class="tiles">
      {cards.map(({ name, protocol, label, about, logo }) => (
        <li class="linked who">
          {logo === undefined ? <Avatar of="team" name={label} picture={null} /> : <ProviderLogo provider={logo} />}
          <span>
            <a href={`${path}?${new URLSearchParams({ provider: name, protocol })}`}>{label}</a> <span class="about">{about}</span>
          </span>
        </li>
      ))}
    </ul>
  </>
)

const protocols = { oidc: 'OpenID Connect', saml: 'SAML 2.0' } as const

function Guided({ name, ctx }: { name: Name; ctx: PageContext }) {
  const [protocol, id = '', { path, site }] = [getProtocol(ctx), reservedId(ctx), ctx]
  const provider: DescribedProvider = providers[name]
  const { steps, groups } = provider[protocol]
  const addresses =
    protocol === 'oidc' ? { redirectUri: buildRedirectUri(site, id) } : { acsUrl: buildAcsUrl(site, id), entityId: buildEntityId(site, id) }
  return (
    <>
      <nav class="segments" aria-label="Protocol">
        {(['oidc', 'saml'] as const).map((each) => (
          <a href={at(path, name, each, reservationIn(ctx))} aria-current={each === protocol ? 'page' : undefined}>
            {protocols[each]}
          </a>
        ))}
      </nav>
      <p class="hint">
        {protocol === 'oidc' ? 'Recommended, and easier to set up.' : 'Choose it if your provider does not offer OpenID Connect.'}{' '}
        <a href={path}>Choose another identity provider</a>
      </p>
      <FieldGroup
        id="register"
        title="At your identity provider"
        about={`First register this service at ${provider.label}, with these values.`}
      >
        <CopiedValues values={addressValues(addresses)} />
        <ol>
          {steps.map((step) => (
            <li>{step}</li>
          ))}
        </ol>
        {groups !== undefined && <p>Groups (optional): {groups}</p>}
      </FieldGroup>
      <FieldGroup id="enter" title="At this service" about={`Then enter here the values that ${provider.label} shows.`}>
        <Form name={protocol}>
          <ProviderName value={name === 'other' ? undefined : provider.label} />
          {protocol === 'saml' ? (
            <MetadataField />
          ) : (
            <OpenIdFields issuerField={provider.issuer === undefined ? (provider.issuerField ?? plainIssuer) : null} />
          )}
          <MembershipFields />
          <Buttons>
            <Button>Add identity provider</Button>
          </Buttons>
        </Form>
      </FieldGroup>
    </>
  )
}
