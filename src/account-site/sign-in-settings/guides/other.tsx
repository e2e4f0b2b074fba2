import type { DescribedProvider } from './guide.ts'

export const other: DescribedProvider = {
  label: 'your identity provider',
  oidc: {
    steps: [
      <>Register a web app (a confidential client) with the authorization code flow at your identity provider.</>,
      <>Enter the redirect URI above there, exactly as it is.</>,
      <>
        Let it send the claims <code>email</code> and <code>name</code> in the ID token or by its UserInfo endpoint.
      </>,
      <>Limit who can sign in to the app, if your provider allows it.</>,
      <>Copy the issuer, the client ID and the client secret into the form below.</>,
    ],
    groups: (
      <>
        Let the provider send the groups of a user in the ID token, as a list of names in one claim, such as <code>groups</code>.
      </>
    ),
  },
  saml: {
    steps: [
      <>Register a service provider (an app with SAML 2.0) at your identity provider.</>,
      <>Enter the ACS URL and the entity ID above there, exactly as they are.</>,
      <>
        Choose the Name ID format <b>persistent</b>, and let it send the email address as the attribute <code>email</code>.
      </>,
      <>Assertions must be signed and must not be encrypted.</>,
      <>Export the metadata of the identity provider as XML, and paste the content into the form below.</>,
    ],
    groups: (
      <>
        Let the provider send the groups of a user as one attribute with several values, such as <code>groups</code>.
      </>
    ),
  },
}
