import type { DescribedProvider } from './guide.ts'

export const keycloak: DescribedProvider = {
  label: 'Keycloak',
  issuerField: {
    label: 'Issuer',
    placeholder: 'https://keycloak.example.com/realms/example',
    hint: 'The URL of your Keycloak, followed by /realms/ and the name of the realm.',
  },
  oidc: {
    steps: [
      <>
        Open the admin console of your Keycloak and choose the realm of your organization. Open <b>Clients</b> and press{' '}
        <b>Create client</b>.
      </>,
      <>
        Choose <b>OpenID Connect</b> and enter a <b>Client ID</b> of your choice.
      </>,
      <>
        Turn on <b>Client authentication</b>. Of the flows, only <b>Standard flow</b> is needed.
      </>,
      <>
        Paste the redirect URI above under <b>Valid redirect URIs</b>. Press <b>Save</b>.
      </>,
      <>
        Copy the <b>Client Secret</b> from the tab <b>Credentials</b> into the form below, and the client ID.
      </>,
    ],
    groups: (
      <>
        Open the tab <b>Client scopes</b> and the scope that ends with <b>-dedicated</b>. Add a mapper <b>Group Membership</b> with the
        token claim name <code>groups</code>. Turn off <b>Full group path</b>.
      </>
    ),
  },
  saml: {
    steps: [
      <>
        Open the admin console of your Keycloak and choose the realm of your organization. Open <b>Clients</b> and press{' '}
        <b>Create client</b>.
      </>,
      <>
        Choose <b>SAML</b>, and paste the entity ID above as <b>Client ID</b>.
      </>,
      <>
        Paste the ACS URL above under <b>Valid redirect URIs</b> and as <b>Master SAML Processing URL</b>. Press <b>Save</b>.
      </>,
      <>
        Set <b>Name ID format</b> to <b>persistent</b>, turn on <b>Force name ID format</b> and <b>Sign assertions</b>. On the tab{' '}
        <b>Keys</b>, turn off <b>Client signature required</b> and <b>Encrypt assertions</b>.
      </>,
      <>
        Open the tab <b>Client scopes</b> and the scope that ends with <b>-dedicated</b>. Add a mapper <b>User Property</b> with the
        property <code>email</code> and the SAML attribute name <code>email</code>.
      </>,
      <>
        Open <b>Realm settings</b>, then <b>SAML 2.0 Identity Provider Metadata</b>, and paste the whole document into the form below.
      </>,
    ],
    groups: (
      <>
        In the same scope, add a mapper <b>Group list</b> with the group attribute name <code>groups</code>. Turn off <b>Full group path</b>
        .
      </>
    ),
  },
}
