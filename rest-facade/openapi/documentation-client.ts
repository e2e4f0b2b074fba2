import { oauthScopes, scopes } from '../../schema/core/scopes.ts'

/** The page of the API reference to which the authorization server redirects. */
export const redirectPath = '/api/docs/oauth2-redirect.html'

/** The client ID of the API reference. */
export const documentationClientId = 'api-documentation'

/**
 * Returns the redirect URI of the API reference. No client can register `localhost`, which may resolve to another host (RFC 8252 §8.3). It
 * becomes the address on which this service listens by default.
 */
export function documentationRedirectUri(publicUrl: string): string {
  const url = new URL(redirectPath, publicUrl)
  if (url.hostname === 'localhost') url.hostname = '127.0.0.1'
  return url.href
}

/** Returns the command, in Markdown, that registers the client for every scope. */
export function registrationInstructions(publicUrl: string): string {
  const options = oauthScopes.map((scope) => `--${scopes[scope].declinable ? 'optional' : 'required'}-scope ${scope}`)
  const command = [
    `npm run -s cli -- client create --client-id ${documentationClientId} --name "API reference" --public`,
    `--redirect-uri ${documentationRedirectUri(publicUrl)} --grant authorization_code --grant refresh_token --team optional`,
    ...options,
  ]
  return `The API reference uses the public client \`${documentationClientId}\`. An operator registers it once:\n\n\`\`\`\n${command.join(' ')}\n\`\`\``
}
