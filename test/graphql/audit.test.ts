import { describe, expect, test } from 'vitest'
import { schema } from '../../schema/index.ts'
import { executeAs, operator } from '../support/in-process.ts'
import { startService } from '../support/service.ts'
import { everything } from './everything.ts'
import { scenarios, surroundings } from './mutation-scenarios.ts'
import type { Scenario } from './mutation-scenarios.ts'

const service = await startService()
const { prisma } = service.database
const mutations = Object.keys(schema.getMutationType()?.getFields() ?? {})

test('every mutation has a scenario', () => {
  expect(Object.keys(scenarios).toSorted()).toEqual(mutations.toSorted())
})

describe.each(mutations)('%s', (name) => {
  const { document, make } = scenarios[name] ?? { document: '', make: (): Scenario => ({ as: operator }) }

  test('writes exactly one entry: who, with what, where, old and new, and no secret', async () => {
    const around = await surroundings(service)
    const { as, variables, secret: hidden, ...expected } = await make(around)
    const already = await prisma.auditEntry.count()
    const { data, refusal, requestId } = await executeAs(service, as, document, variables)
    expect(refusal).toBeNull()
    const entries = await prisma.auditEntry.findMany({ where: { requestId } })
    expect(await prisma.auditEntry.count()).toBe(already + 1)
    const actor =
      as.kind === 'user'
        ? { actorKind: 'user', actorName: as.user.name, actorUserId: as.user.id, via: 'session', credentialId: 'session-1' }
        : as.kind === 'visitor'
          ? { actorKind: 'visitor', actorName: 'visitor', actorUserId: null, via: 'account_site', credentialId: null }
          : { actorKind: 'operator', actorName: 'tester', actorUserId: null, via: 'command_line', credentialId: null }
    expect(entries).toEqual([expect.objectContaining({ action: name, ...actor, teamId: null, ...expected })])
    const values = Object.values<any>(data).flatMap(({ value, clientSecret, recoveryCodes }) => value ?? clientSecret ?? recoveryCodes)
    const told = [...values, variables?.token, variables?.sealed, hidden].filter((each) => each !== undefined)
    const said = JSON.stringify(entries)
    for (const secret of [...(await storedSecrets()), ...told]) expect(said).not.toContain(secret)
  })

  test('changes nothing when its entry cannot be written', async () => {
    const around = await surroundings(service)
    const { as, variables } = await make(around)
    const before = await everything(service)
    await prisma.$executeRaw`CREATE OR REPLACE FUNCTION refuse_entries() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''no entry today''; END'`
    await prisma.$executeRaw`CREATE TRIGGER refuse_entries BEFORE INSERT ON audit_entries FOR EACH ROW EXECUTE FUNCTION refuse_entries()`
    try {
      await expect(executeAs(service, as, document, variables)).rejects.toThrow('no entry today')
    } finally {
      await prisma.$executeRaw`DROP TRIGGER refuse_entries ON audit_entries`
    }
    expect(await everything(service)).toEqual(before)
  })
})

/** Every secret the database keeps, in the forms in which one could slip into a text. */
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
