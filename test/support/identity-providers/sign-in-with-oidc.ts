import type { ProtocolRequest } from '../../../schema/identity-providers/protocol.ts'
import { oidc } from '../../../schema/identity-providers/sign-in/oidc/oidc.ts'
import { contextOf } from '../service/in-process.ts'
import type { TestService } from '../service/service.ts'
import type { TestProvider } from './provider.ts'

/** Signs in at the provider as a browser does, and returns what the service accepts or why it refuses. */
export async function signInWithOidc(
  service: TestService,
  { issuer, clientId, clientSecret }: TestProvider,
  request: Partial<ProtocolRequest> = {},
  groupsClaim: string | null = null,
) {
  const anonymous = {
    kind: 'anonymous',
    authenticationMethod: 'account_site',
    name: 'anonymous',
    scopes: new Set(),
    teams: [],
    expiresAt: null,
  }
  const ports = contextOf(service, anonymous as never)
  const settings = { issuer, clientId, clientSecret, redirectUri: 'https://accounts.example/sign-in/callback/1', groupsClaim }
  const id = `_${'0'.repeat(32)}`
  const full = { id, createdAt: service.clock.now(), forceAuthentication: false, loginHint: null, storedResponse: null, ...request }
  const url = await oidc.requestUrl(ports, settings, full)
  const { headers } = await fetch(url, { redirect: 'manual' })
  const answer = new URL(headers.get('location') ?? '').searchParams
  try {
    return await oidc.verify(ports, settings, full, answer)
  } catch (error) {
    return (error as Error).message
  }
}
