import { z } from 'zod'
import type { SocialClients } from '../../../schema/core/social-clients.ts'
import { metadata } from './setting-types.ts'

const clientId = (variable: string, name: string) =>
  z
    .string()
    .optional()
    .register(metadata, {
      variable,
      description: `Identifier of the OAuth client of this service at ${name}, for the button "Continue with ${name}". Its redirect URI is AUTH_URL/sign-in/callback/${name.toLowerCase()}.`,
    })
const clientSecret = (variable: string, name: string) =>
  z
    .string()
    .optional()
    .register(metadata, { variable, description: `Secret of the OAuth client of this service at ${name}.`, isSecret: true })

/** Sign-in through public identity providers (docs/decisions/identity-providers.md#public-providers). */
export const socialSettings = {
  googleClientId: clientId('GOOGLE_CLIENT_ID', 'Google'),
  googleClientSecret: clientSecret('GOOGLE_CLIENT_SECRET', 'Google'),
  githubClientId: clientId('GITHUB_CLIENT_ID', 'GitHub'),
  githubClientSecret: clientSecret('GITHUB_CLIENT_SECRET', 'GitHub'),
  microsoftClientId: clientId('MICROSOFT_CLIENT_ID', 'Microsoft'),
  microsoftClientSecret: clientSecret('MICROSOFT_CLIENT_SECRET', 'Microsoft'),
}

const providers = ['google', 'github', 'microsoft'] as const
type Provider = (typeof providers)[number]
type SocialValues = Readonly<Partial<Record<`${Provider}Client${'Id' | 'Secret'}`, string | undefined>>>

/** Returns the public providers whose settings are complete, and the missing settings of incomplete ones. */
export function readSocialProviders(values: SocialValues): { socialProviders: SocialClients; missing: string | null } {
  const clients: Partial<Record<Provider, { clientId: string; clientSecret: string }>> = {}
  let missing: string | null = null
  for (const provider of providers) {
    const [id, secret] = [values[`${provider}ClientId`], values[`${provider}ClientSecret`]]
    const variable = (name: string) => `${provider.toUpperCase()}_CLIENT_${name}`
    if (id !== undefined && secret !== undefined) clients[provider] = { clientId: id, clientSecret: secret }
    else if (id !== undefined) missing ??= `${variable('SECRET')} is required when ${variable('ID')} is set`
    else if (secret !== undefined) missing ??= `${variable('ID')} is required when ${variable('SECRET')} is set`
  }
  return { socialProviders: clients, missing }
}
