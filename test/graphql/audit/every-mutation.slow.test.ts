import { describe, expect, test } from 'vitest'
import { schema } from '../../../schema/index.ts'
import { executeAs, operator } from '../../support/service/in-process.ts'
import { useService } from '../../support/service/service.ts'
import { readAllRows } from '../../support/graphql/all-rows.ts'
import { scenarios } from '../../support/graphql/scenarios/mutation-scenarios.ts'
import { createScenarioContext } from '../../support/graphql/scenarios/scenario.ts'
import { signInMutations } from '../../support/graphql/sign-in-operations.ts'
import type { Scenario } from '../../support/graphql/scenarios/scenario.ts'

const service = useService()
const { prisma } = service.database
/**
 * Sign-in writes no audit entries: it changes protocol state of the browser session, failed attempts are anonymous, and the
 * security page lists the sessions. test/graphql/security/sign-in.test.ts asserts that these write none.
 */
const unauditedMutations = new Set(signInMutations)
const mutations = Object.keys(schema.getMutationType()?.getFields() ?? {}).filter((name) => !unauditedMutations.has(name))

test('every audited mutation has a scenario', () => {
  expect(Object.keys(scenarios).toSorted()).toEqual(mutations.toSorted())
})

describe.each(mutations)('%s', (name) => {
  const { document, prepare } = scenarios[name] ?? { document: '', prepare: (): Scenario => ({ principal: operator }) }

  test('writes exactly one audit entry with actor, credential, team and changed values, and no secret', async () => {
    const context = await createScenarioContext(service)
    const { principal, variables, browser, secret: scenarioSecret, ...expected } = await prepare(context)
    const countBefore = await prisma.auditEntry.count()
    const { data, refusal, requestId } = await executeAs(service, principal, document, variables, undefined, browser)
    expect(refusal).toBeNull()
    const entries = await prisma.auditEntry.findMany({ where: { requestId } })
    expect(await prisma.auditEntry.count()).toBe(countBefore + 1)
    const actor =
      principal.kind === 'user'
        ? {
            actorKind: 'user',
            actorName: principal.user.name,
            actorUserId: principal.user.id,
            authenticationMethod: 'session',
            credentialId: 'session-1',
          }
        : principal.kind === 'anonymous'
          ? { actorKind: 'anonymous', actorName: 'anonymous', actorUserId: null, authenticationMethod: 'account_site', credentialId: null }
          : { actorKind: 'operator', actorName: 'tester', actorUserId: null, authenticationMethod: 'command_line', credentialId: null }
    expect(entries).toEqual([expect.objectContaining({ action: name, ...actor, teamId: null, ...expected })])
    const values = Object.values<any>(data).flatMap(({ value, clientSecret, recoveryCodes }) => value ?? clientSecret ?? recoveryCodes)
    const returnedSecrets = [...values, variables?.token, variables?.encrypted, scenarioSecret].filter((each) => each !== undefined)
    const entryText = JSON.stringify(entries)
    for (const secret of [...(await storedSecrets()), ...returnedSecrets]) expect(entryText).not.toContain(secret)
  })

  test('changes nothing when its audit entry cannot be written', async () => {
    const context = await createScenarioContext(service)
    const { principal, variables, browser } = await prepare(context)
    const before = await readAllRows(service)
    await prisma.$executeRaw`CREATE OR REPLACE FUNCTION reject_entries() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''audit insert failed''; END'`
    await prisma.$executeRaw`CREATE TRIGGER reject_entries BEFORE INSERT ON audit_entries FOR EACH ROW EXECUTE FUNCTION reject_entries()`
    try {
      await expect(executeAs(service, principal, document, variables, undefined, browser)).rejects.toThrow('audit insert failed')
    } finally {
      await prisma.$executeRaw`DROP TRIGGER reject_entries ON audit_entries`
    }
    expect(await readAllRows(service)).toEqual(before)
  })
})

/** Every secret in the database, in each encoding that could appear in a text. */
async function storedSecrets(): Promise<string[]> {
  const tokens = await prisma.accessToken.findMany()
  const invitations = await prisma.invitation.findMany()
  const links = await prisma.mailLink.findMany()
  const clientSecrets = await prisma.oAuthClientSecret.findMany()
  const bytes = [
    ...[...tokens, ...clientSecrets].map(({ hash }) => hash),
    ...[...invitations, ...links].flatMap(({ nonce, tokenHash }) => [nonce, tokenHash]),
  ].map((each) => Buffer.from(each))
  return [
    'correct horse',
    '$argon2',
    ...bytes.flatMap((each) => [each.toString('hex'), each.toString('base64url'), each.toString('base64')]),
  ]
}
