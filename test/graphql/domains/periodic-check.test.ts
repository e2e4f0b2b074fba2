import { describe, expect, test } from 'vitest'
import type { TeamDomain } from '../../../prisma/generated/client/client.ts'
import { checkDomains } from '../../../schema/domains/periodic-check.ts'
import { counters } from '../../../src/metrics/declarations.ts'
import { createMetrics } from '../../../src/metrics/metrics.ts'
import { createOwnedTeam } from '../../support/data/team.ts'
import { createDomain } from '../../support/domains/domain.ts'
import { publishTxt } from '../../support/domains/name-server.ts'
import { sentBy } from '../../support/mail/sent.ts'
import { parseMetrics } from '../../support/metrics/prometheus-text.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const { database, clock, mails } = service
const { prisma } = database
const { messageOf } = sentBy(service)
const day = 86_400_000

const ports = { database, now: clock.now, sendMail: service.sendMail, outgoing: service.outgoing }
const publish = ({ domain, value }: TeamDomain) => publishTxt(service, `_team-account.${domain}`, [value])
const unpublish = ({ domain }: TeamDomain) => publishTxt(service, `_team-account.${domain}`, [])
const stored = ({ id }: TeamDomain) => prisma.teamDomain.findUniqueOrThrow({ where: { id } })

/** A verified domain whose record exists. */
async function createScene() {
  await prisma.teamDomain.deleteMany()
  const { team, owner } = await createOwnedTeam(database)
  const domain = await createDomain(database, team, { verifiedAt: clock.now(), checkedAt: clock.now() })
  await publish(domain)
  mails.length = 0
  return { team, owner, domain }
}
/** Moves the clock, runs the periodic work, and returns the kinds of the emails about the team. */
async function after(days: number): Promise<string[]> {
  clock.advance(days * day)
  mails.length = 0
  await checkDomains(ports)
  return mails.map(({ kind }) => kind)
}

describe('a verified domain', () => {
  test('is looked up once a week', async () => {
    const { domain } = await createScene()
    expect(await after(6)).toEqual([])
    expect((await stored(domain)).checkedAt).toEqual(domain.checkedAt)
    await after(1)
    expect((await stored(domain)).checkedAt?.getTime()).toBeGreaterThan((domain.checkedAt?.getTime() ?? 0) + 6 * day)
    expect(await stored(domain)).toMatchObject({ verifiedAt: domain.verifiedAt, missingSince: null })
  })

  test('whose record is missing for 14 days is lost, with an email at the beginning and one at the end', async () => {
    const { team, owner, domain } = await createScene()
    await unpublish(domain)
    expect(await after(7)).toEqual(['domain-missing'])
    const notice = await messageOf(mails[0])
    expect(notice.to).toBe(owner.email)
    expect(notice.text.replace(/\s+/g, ' ')).toContain(' of the team “Acme” was not found. The record is checked daily.')
    for (let count = 1; count < 14; count++) expect([count, await after(1)]).toEqual([count, []])
    expect((await stored(domain)).verifiedAt).not.toBeNull()
    expect(await after(1)).toEqual(['domain-lost'])
    expect(await stored(domain)).toMatchObject({ verifiedAt: null, missingSince: null })
    const entry = await prisma.auditEntry.findFirstOrThrow({ where: { teamId: team.id, action: 'loseTeamDomain' } })
    expect(entry).toMatchObject({ actorKind: 'system', subject: domain.id, subjectName: domain.domain })
    expect(await after(30)).toEqual([])
  })

  test('is kept if the record is back within the 14 days', async () => {
    const { domain } = await createScene()
    await unpublish(domain)
    await after(7)
    await publish(domain)
    expect(await after(1)).toEqual([])
    expect(await stored(domain)).toMatchObject({ missingSince: null, verifiedAt: domain.verifiedAt })
    expect(await after(7)).toEqual([])
  })

  test('is not lost while its name server does not answer', async () => {
    const { domain } = await createScene()
    await unpublish(domain)
    await after(7)
    await publishTxt(service, `_team-account.${domain.domain}`, null)
    for (let count = 0; count < 20; count++) await after(1)
    expect((await stored(domain)).verifiedAt).not.toBeNull()
    await publish(domain)
    await after(1)
    expect(await stored(domain)).toMatchObject({ missingSince: null })
  })
})

test('domains that are not verified, and those of deleted teams, are not looked up', async () => {
  const { team, domain } = await createScene()
  const unverified = await createDomain(database, team, { verifiedAt: null, checkedAt: null })
  await prisma.team.update({ where: { id: team.id }, data: { deletedAt: clock.now() } })
  await after(8)
  expect([(await stored(domain)).checkedAt, (await stored(unverified)).checkedAt]).toEqual([domain.checkedAt, null])
})

test('the look-ups of verified domains are counted by their result', async () => {
  const metrics = createMetrics({ readsDatabase: false })
  const counts = async () => {
    const samples = parseMetrics((await metrics.read()).text).filter(({ name }) => name === counters.domainChecks.name)
    return Object.fromEntries(samples.map(({ labels, value }) => [labels['result'], value]))
  }
  expect(await counts()).toEqual({ found: 0, missing: 0, unanswered: 0 })
  const { domain } = await createScene()
  await after(7)
  expect(await counts()).toEqual({ found: 1, missing: 0, unanswered: 0 })
  await publishTxt(service, `_team-account.${domain.domain}`, null)
  await after(7)
  expect(await counts()).toEqual({ found: 1, missing: 0, unanswered: 1 })
  await unpublish(domain)
  await after(7)
  expect(await counts()).toEqual({ found: 1, missing: 1, unanswered: 1 })
})
