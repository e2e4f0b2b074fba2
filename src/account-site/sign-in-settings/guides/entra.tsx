import type { DescribedProvider } from './guide.ts'

const tenantId = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export const entra: DescribedProvider = {
  label: 'Microsoft Entra ID',
  issuerField: {
    label: 'Directory (tenant) ID',
    placeholder: '00000000-0000-0000-0000-000000000000',
    hint: 'From the overview of the app registration. You can also enter the whole issuer.',
  },
  getIssuer: (entered) => (tenantId.test(entered) ? `https://login.microsoftonline.com/${entered.toLowerCase()}/v2.0` : entered),
  oidc: {
    steps: [
      <>
        Open the <a href="https://entra.microsoft.com">Microsoft Entra admin center</a>, then <b>App registrations</b> and{' '}
        <b>New registration</b>.
      </>,
      <>
        Enter a name. Under <b>Supported account types</b>, choose accounts in this organizational directory only (single tenant).
      </>,
      <>
        Under <b>Redirect URI</b>, choose <b>Web</b> and paste the redirect URI above. Press <b>Register</b>.
      </>,
      <>
        Copy the <b>Application (client) ID</b> and the <b>Directory (tenant) ID</b> into the form below.
      </>,
      <>
        Open <b>Certificates &amp; secrets</b> and press <b>New client secret</b>. Copy its <b>Value</b>, not its ID. Note the day on which
        it expires: sign-in stops then, until you enter a new one here.
      </>,
      <>
        Open <b>Token configuration</b>, press <b>Add optional claim</b>, choose <b>ID</b> and select <b>email</b>.
      </>,
      <>
        To limit who can sign in, open the app under <b>Enterprise applications</b>. Under <b>Properties</b>, turn on{' '}
        <b>Assignment required</b>, and assign people under <b>Users and groups</b>.
      </>,
    ],
    groups: (
      <>
        Open <b>Token configuration</b>, press <b>Add groups claim</b> and choose <b>Groups assigned to the application</b>. The claim is
        named <code>groups</code>. It has the object IDs of the groups, not their names.
      </>
    ),
  },
  saml: {
    steps: [
      <>
        Open the <a href="https://entra.microsoft.com">Microsoft Entra admin center</a>, then <b>Enterprise applications</b>,{' '}
        <b>New application</b> and <b>Create your own application</b>. Choose an app that is not in the gallery.
      </>,
      <>
        Open <b>Single sign-on</b> and choose <b>SAML</b>.
      </>,
      <>
        Edit <b>Basic SAML Configuration</b>. Paste the entity ID above as <b>Identifier (Entity ID)</b>, and the ACS URL as{' '}
        <b>Reply URL (Assertion Consumer Service URL)</b>.
      </>,
      <>
        Edit <b>Attributes &amp; Claims</b>. For <b>Unique User Identifier (Name ID)</b>, choose the format <b>Persistent</b> and the source{' '}
        <code>user.objectid</code>, which never changes.
      </>,
      <>
        Under <b>SAML Certificates</b>, download the <b>Federation Metadata XML</b>, and paste its content into the form below.
      </>,
      <>
        Assign people under <b>Users and groups</b>.
      </>,
    ],
    groups: (
      <>
        Edit <b>Attributes &amp; Claims</b> and press <b>Add a group claim</b>. The attribute is named{' '}
        <code>http://schemas.microsoft.com/ws/2008/06/identity/claims/groups</code>. It has the object IDs of the groups, not their names.
      </>
    ),
  },
}
