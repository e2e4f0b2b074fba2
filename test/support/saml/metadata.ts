interface MetadataOptions {
  issuer?: string
  ssoUrl?: string
  /** In base64, for signing. */
  certificates: readonly string[]
  /** XML before the `SingleSignOnService` elements. */
  more?: string
  role?: string
}

export const keyDescriptor = (certificate: string, use: string | null = 'signing') =>
  `<md:KeyDescriptor${use === null ? '' : ` use="${use}"`}><ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:X509Data>` +
  `<ds:X509Certificate>\n${certificate.replace(/.{64}/g, '$&\n')}\n</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor>`

/** The metadata of an identity provider. */
export function providerMetadata({
  issuer = 'https://idp.example/metadata',
  ssoUrl = 'https://idp.example/sso',
  certificates,
  more = '',
  role = 'IDPSSODescriptor',
}: MetadataOptions): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${issuer}">
  <!-- Providers write comments. -->
  <md:${role} protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">
    ${certificates.map((certificate) => keyDescriptor(certificate)).join('\n    ')}${more}
    <md:SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="https://idp.example/post"/>
    <md:SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="${ssoUrl}"/>
  </md:${role}>
</md:EntityDescriptor>`
}
