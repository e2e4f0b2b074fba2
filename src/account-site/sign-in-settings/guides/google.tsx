import type { DescribedProvider } from './guide.ts'

export const google: DescribedProvider = {
  label: 'Google Workspace',
  issuer: 'https://accounts.google.com',
  oidc: {
    steps: [
      <>
        Open the <a href="https://console.cloud.google.com">Google Cloud console</a>, and choose or create a project of your organization.
      </>,
      <>
        Open <b>Google Auth Platform</b>, then <b>Audience</b>. The user type must be <b>Internal</b>. With <b>External</b>, anyone with a
        Google account could sign in.
      </>,
      <>
        Open <b>Clients</b>, press <b>Create client</b> and choose <b>Web application</b>. Paste the redirect URI above under{' '}
        <b>Authorized redirect URIs</b>.
      </>,
      <>
        Press <b>Create</b>, and copy the <b>Client ID</b> and the <b>Client secret</b> into the form below.
      </>,
      <>Afterwards, verify the domain of your organization under Sign-in. Only its Google accounts can sign in.</>,
    ],
    groups: <>With OpenID Connect, Google does not send groups. With SAML it can.</>,
  },
  saml: {
    steps: [
      <>
        Open the <a href="https://admin.google.com">Google Admin console</a>, then <b>Apps</b>, <b>Web and mobile apps</b>, <b>Add app</b>{' '}
        and <b>Add custom SAML app</b>.
      </>,
      <>
        Enter a name. On the next page press <b>Download metadata</b>, and paste the content of the file into the form below.
      </>,
      <>
        On the next page paste the ACS URL and the entity ID above. Choose <b>Persistent</b> as <b>Name ID format</b>.
      </>,
      <>
        Under <b>Attributes</b>, map <b>Primary email</b> to <code>email</code>.
      </>,
      <>
        Open <b>User access</b> of the app, and turn it on for the people who can sign in.
      </>,
    ],
    groups: (
      <>
        On the page <b>Attributes</b>, choose the groups under <b>Group membership</b>, and enter <code>groups</code> as app attribute.
      </>
    ),
  },
}
