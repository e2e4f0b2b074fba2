import type { Team } from '../../../prisma/generated/client/client.ts'
import { createOwnedTeam, teamToken, unique } from '../data/team.ts'
import type { TestService } from '../service/service.ts'

export interface ScimResponse {
  status: number
  headers: Headers
  /** Parsed JSON; null without a body. */
  body: any
}

/** Sends a SCIM request. */
export async function scim(
  { url }: Pick<TestService, 'url'>,
  token: string,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<ScimResponse> {
  const response = await fetch(`${url}/scim/v2${path}`, {
    method,
    headers: {
      Authorization: `Bearer ${token}`,
      ...(body !== undefined && { 'Content-Type': 'application/scim+json' }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: text === '' ? null : JSON.parse(text) }
}

/** Makes a domain one that the team has verified. */
export async function verifyDomain(
  { database: { prisma }, clock }: Pick<TestService, 'database'> & { clock: Pick<TestService['clock'], 'now'> },
  team: Team,
  domain: string,
) {
  await prisma.teamDomain.create({ data: { teamId: team.id, domain, value: unique('value'), verifiedAt: clock.now() } })
}

/** A team with a verified domain and a token of its directory. */
export async function createDirectory(service: TestService) {
  const owned = await createOwnedTeam(service.database)
  const domain = `${unique('directory')}.example`
  await verifyDomain(service, owned.team, domain)
  const scimToken = await teamToken(service.database, owned.team, { name: 'Directory', scopes: ['acct:team:scim'] })
  const send = (method: string, path: string, body?: unknown, headers?: Record<string, string>) =>
    scim(service, scimToken, method, path, body, headers)
  /** Creates a user with this name before the @ of the address, and returns the resource. */
  async function provision(name: string, more: object = {}) {
    const address = `${name}@${domain}`
    const { status, body } = await send('POST', '/Users', {
      userName: address,
      emails: [{ value: address, type: 'work', primary: true }],
      ...more,
    })
    if (status !== 201) throw new Error(`${status} ${JSON.stringify(body)}`)
    return body as { id: string; userName: string }
  }
  return { ...owned, domain, scimToken, send, provision }
}

/** The body of a PATCH. */
export const patchOf = (...Operations: object[]) => ({ schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'], Operations })
