import { scopes } from '../../schema/core/scopes.ts'

/** The file of the documentation page that the authorization server redirects to. */
export const redirectFile = 'oauth2-redirect.html'

/** The client ID that the documentation page fills in. */
export const documentationClientId = 'api-documentation'

/**
 * The redirect URI of the documentation page. No client can register `localhost`, which may resolve to another host (RFC 8252
 * §8.3); it becomes the address that this service listens on by default.
 */
export function documentationRedirectUri(publicUrl: string): string {
  const url = new URL(`/api/docs/${redirectFile}`, publicUrl)
  if (url.hostname === 'localhost') url.hostname = '127.0.0.1'
  return url.href
}

/** The command that registers the client, for every scope, in Markdown. */
export function registrationInstructions(publicUrl: string): string {
  const options = Object.entries(scopes).map(([scope, { declinable }]) => `--${declinable ? 'optional' : 'required'}-scope ${scope}`)
  const command = [
    `npm run -s cli -- client create --client-id ${documentationClientId} --name "API documentation" --public`,
    `--redirect-uri ${documentationRedirectUri(publicUrl)} --grant authorization_code --grant refresh_token --team optional`,
    ...options,
  ]
  return `The documentation page uses the public client \`${documentationClientId}\`. An operator registers it once:\n\n\`\`\`\n${command.join(' ')}\n\`\`\``
}
