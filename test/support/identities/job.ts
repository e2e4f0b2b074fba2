import { expect } from 'vitest'
import { presets } from '../../../schema/workload-identities/presets.ts'
import { createOwnedTeam } from '../data/team.ts'
import { readAllRows } from '../graphql/all-rows.ts'
import type { TestService } from '../service/service.ts'
import { githubClaims, githubSuffix } from './ci-issuer.ts'
import type { CiIssuer, useCiIssuers } from './ci-issuer.ts'
import { createIdentity, exchangeAssertion } from './identity.ts'

/** A workload identity of a team for a workflow of GitHub Actions. */
export interface Job {
  issuer: CiIssuer
  id: string
  team: Awaited<ReturnType<typeof createOwnedTeam>>['team']
  owner: Awaited<ReturnType<typeof createOwnedTeam>>['owner']
  /** The claims of a valid ID token, with a new `jti`, and these changes. Undefined removes a claim. */
  claims(changes?: object): object
  /** Sends an assertion as this identity, by default a valid one. */
  exchange(
    assertion?: string,
    fields?: Record<string, string | undefined>,
    headers?: Record<string, string>,
  ): ReturnType<typeof exchangeAssertion>
}

export async function createJob(service: TestService, issuers: ReturnType<typeof useCiIssuers>, issuer?: CiIssuer): Promise<Job> {
  const { team, owner } = await createOwnedTeam(service.database)
  const of = issuer ?? (await issuers.create(githubSuffix))
  const conditions = presets.github.listConditions({ projectId: '74', environment: 'production', branch: 'main' })
  const id = await createIdentity(service, team, { issuer: of.url, conditions })
  const claims = (changes = {}) => ({ ...githubClaims(of.url, service.url, service.clock.now()), ...changes })
  return {
    issuer: of,
    id,
    team,
    owner,
    claims,
    exchange: async (assertion, fields = {}, headers = {}) =>
      exchangeAssertion(service, { client_id: id, assertion: assertion ?? (await of.sign(claims())), ...fields }, headers),
  }
}

/** Sends a request that oidc-provider answers, for the first of which it creates its signing keys. */
export const useProvider = async ({ exchange }: Job): Promise<void> =>
  expect((await exchange(undefined, { unknown: '1' })).status).toBe(200)

/** Everything that a refused token request could change. */
export async function storedState(service: TestService): Promise<unknown> {
  const { prisma } = service.database
  return [await readAllRows(service), await prisma.oidcModel.count(), await prisma.auditEntry.count()]
}

/** Expects that a request is refused with this error, without a fault, and changes nothing. */
export async function expectRefusal(
  service: TestService,
  send: () => ReturnType<typeof exchangeAssertion>,
  { error, description }: { error: string; description: string | RegExp },
): Promise<void> {
  const before = await storedState(service)
  service.logged.length = 0
  const { status, body } = await send()
  expect([status, body.error]).toEqual([error === 'invalid_client' ? 401 : status === 413 ? 413 : 400, error])
  expect(body.error_description).toMatch(description)
  expect(await storedState(service)).toEqual(before)
  expect(service.logged).toEqual([])
}
