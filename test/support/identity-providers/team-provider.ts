import type { OpenDatabase } from '../../../prisma/connection/database.ts'
import type { IdentityProvider, Team } from '../../../prisma/generated/client/client.ts'
import { encryptClientSecret } from '../../../schema/identity-providers/stored-provider.ts'
import { secretDeriver } from '../../../src/config/secret-key.ts'
import type { Browser, Page } from '../browser/browser.ts'
import { addSecret } from '../service/secrets/secrets-in-logs.ts'
import { secretKey } from '../service/test-settings.ts'
import type { TestProvider } from './provider.ts'

/** Gives a team an OpenID provider. */
export async function addProvider(
  { prisma }: OpenDatabase,
  team: Team,
  { issuer, clientId, clientSecret }: Pick<TestProvider, 'issuer' | 'clientId' | 'clientSecret'>,
  data: Partial<IdentityProvider> = {},
): Promise<IdentityProvider> {
  addSecret(clientSecret)
  const row = await prisma.identityProvider.create({
    data: { teamId: team.id, kind: 'oidc', name: 'Acme login', issuer, clientId, ...(data as object) },
  })
  const encrypted = encryptClientSecret({ deriveSecret: secretDeriver(secretKey) }, clientSecret, row.id)
  return prisma.identityProvider.update({ where: { id: row.id }, data: { clientSecret: encrypted, updatedAt: row.updatedAt } })
}

/** Gives a team a verified domain. */
export const addDomain = ({ prisma }: OpenDatabase, team: Team, domain: string) =>
  prisma.teamDomain.create({ data: { teamId: team.id, domain, value: 'value', verifiedAt: new Date() } })

/** The address at the provider to which the browser was sent, or to which the page leads that names its host. */
export function addressAtProvider({ status, url, root, text }: Page): URL {
  const link = root.querySelector('main a.button[href^=http]')?.getAttribute('href')
  if (status !== 0 && link === undefined) throw new Error(`the browser was not sent to a provider: ${text}`)
  return link === undefined ? url : new URL(link)
}

/** Authenticates at the provider, and returns the address to which it sends the browser back. */
export async function answerOf(sent: Page): Promise<URL> {
  const { headers } = await fetch(addressAtProvider(sent), { redirect: 'manual' })
  return new URL(headers.get('location') ?? '')
}

/** Signs in at a provider, and returns the page to which this leads. */
export async function signInAtProvider(browser: Browser, key: string, query: Record<string, string> = {}): Promise<Page> {
  const sent = await browser.open(`/sign-in/start/${key}?${new URLSearchParams(query)}`)
  return browser.open(await answerOf(sent))
}
