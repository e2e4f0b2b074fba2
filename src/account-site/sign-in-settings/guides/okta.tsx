import type { DescribedProvider } from './guide.ts'

export const okta: DescribedProvider = {
  label: 'Okta',
  issuerField: {
    label: 'Issuer',
    placeholder: 'https://example.okta.com',
    hint: 'The URL of your Okta organization, without “-admin”. Okta shows your domain in the menu at the top right.',
  },
  oidc: {
    steps: [
      <>
        Open the Okta Admin Console, then <b>Applications</b>, <b>Applications</b> and <b>Create App Integration</b>.
      </>,
      <>
        Choose <b>OIDC - OpenID Connect</b> and <b>Web Application</b>.
      </>,
      <>
        Enter a name. Under <b>Grant type</b>, choose <b>Authorization Code</b>. Paste the redirect URI above under{' '}
        <b>Sign-in redirect URIs</b>, and remove the one under <b>Sign-out redirect URIs</b>.
      </>,
      <>
        Under <b>Assignments</b>, choose who can sign in. Press <b>Save</b>.
      </>,
      <>
        Copy the <b>Client ID</b> and the <b>Client secret</b> from the tab <b>General</b> into the form below.
      </>,
    ],
    groups: (
      <>
        With OpenID Connect, Okta sends groups only from a custom authorization server: add a claim of the value type <b>Groups</b> to it,
        and enter the issuer of that server below. With SAML this is not needed.
      </>
    ),
  },
  saml: {
    steps: [
      <>
        Open the Okta Admin Console, then <b>Applications</b>, <b>Applications</b> and <b>Create App Integration</b>. Choose <b>SAML 2.0</b>
        .
      </>,
      <>
        Enter a name. Paste the ACS URL above as <b>Single sign-on URL</b>, and the entity ID as <b>Audience URI (SP Entity ID)</b>.
      </>,
      <>
        Choose <b>Persistent</b> as <b>Name ID format</b>.
      </>,
      <>
        Under <b>Attribute Statements</b>, add <code>email</code> with the value <code>user.email</code>, and <code>name</code> with the
        value <code>user.displayName</code>.
      </>,
      <>
        Under <b>Assignments</b>, choose who can sign in.
      </>,
      <>
        On the tab <b>Sign On</b>, open the <b>Metadata URL</b>, and paste the whole document into the form below.
      </>,
    ],
    groups: (
      <>
        Under <b>Group Attribute Statements</b>, add <code>groups</code> with the filter <b>Matches regex</b> and <code>.*</code>, or a
        narrower filter.
      </>
    ),
  },
}
