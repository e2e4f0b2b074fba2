import { randomBytes } from 'node:crypto'
import { inflateRawSync } from 'node:zlib'
import { beforeAll } from 'vitest'
import type { Team } from '../../../prisma/generated/client/client.ts'
import { sha256 } from '../../../schema/core/sha256.ts'
import { createTeam, unique } from '../data/team.ts'
import type { TestService } from '../service/service.ts'
import { createSigner } from './signer.ts'
import type { Signer } from './signer.ts'
import type { ResponseContent } from './response.ts'

/** A SAML provider of a team, whose responses a test makes. */
export interface SamlProvider {
  id: string
  issuer: string
  signer: Signer
  acsUrl: string
}

interface Clocked {
  clock: Pick<TestService['clock'], 'now'>
}

/** Creates the keys once for all tests of a file: an RSA key takes a while. */
export function useSigners<Name extends string>(...names: Name[]): Record<Name, Signer> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- complete before the first test
  const signers = {} as Record<Name, Signer>
  beforeAll(() => {
    for (const name of names) signers[name] = createSigner()
  })
  return signers
}

/** Stores a provider of a new team that trusts these keys. The first one signs. */
export async function createSamlProvider(
  { url, database }: Pick<TestService, 'url' | 'database'>,
  [signer, ...others]: [Signer, ...Signer[]],
  { groupsClaim = null, team }: { groupsClaim?: string | null; team?: Team } = {},
): Promise<SamlProvider> {
  const { id: teamId } = team ?? (await createTeam(database))
  const issuer = `https://idp.example/${unique('entity')}`
  const certificates = [signer, ...others].map(({ certificate }) => certificate)
  const { id } = await database.prisma.identityProvider.create({
    data: { teamId, kind: 'saml', name: 'Acme ID', issuer, ssoUrl: 'https://idp.example/sso?tenant=1', certificates, groupsClaim },
  })
  return { id, issuer, signer, acsUrl: `${url}/sign-in/saml/${id}` }
}

/** Stores a request to a provider, as a browser sends it, and returns its identifier. */
export async function requestOf(
  { database, clock }: Pick<TestService, 'database'> & Clocked,
  { id: providerId }: SamlProvider,
  { purpose = 'sign_in', browser = 'a browser' }: { purpose?: 'sign_in' | 'confirm'; browser?: string } = {},
): Promise<string> {
  const id = `_${randomBytes(16).toString('hex')}`
  const now = clock.now()
  const expiresAt = new Date(now.getTime() + 600_000)
  await database.prisma.signInRequest.create({
    data: { id, providerId, purpose, browserHash: sha256(browser), returnTo: '/', createdAt: now, expiresAt },
  })
  return id
}

/** The content of a response to a request that is accepted. */
export const contentFor = ({ clock }: Clocked, { issuer, acsUrl }: SamlProvider, inResponseTo: string): ResponseContent => ({
  issuer,
  destination: acsUrl,
  audience: `${acsUrl}/metadata`,
  recipient: acsUrl,
  inResponseTo,
  now: clock.now(),
})

/** Posts a response as the browser does from a page of the provider: without cookies. */
export const post = (acsUrl: string, xml: string, more: Record<string, string> = {}): Promise<Response> =>
  fetch(acsUrl, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: 'https://idp.example', accept: 'text/html', 'sec-fetch-site': 'cross-site' },
    body: new URLSearchParams({ SAMLResponse: Buffer.from(xml).toString('base64'), ...more }),
  })

/** The identifier of the request with which a browser was sent to a provider. */
export function requestIdOf({ searchParams }: URL): string {
  const xml = inflateRawSync(Buffer.from(searchParams.get('SAMLRequest') ?? '', 'base64')).toString()
  return / ID="([^"]*)"/.exec(xml)?.[1] ?? ''
}
