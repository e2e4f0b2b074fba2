import { expect, test } from 'vitest'
import { contentOf } from '../../support/account-site/page-content.ts'
import { inTeam } from '../../support/account-site/team.ts'
import type { Page } from '../../support/browser/browser.ts'
import { teamToken } from '../../support/data/team.ts'
import { createDomain } from '../../support/domains/domain.ts'
import { seedProvider } from '../../support/identity-providers/seed-provider.ts'
import { scim } from '../../support/scim/directory.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const { database, clock } = service
const { prisma } = database

const sectionOf = ({ root }: Page, id: string) => root.querySelector(`#${id} .fields`)?.structuredText.replaceAll(/\s+/g, ' ').trim()
/** The steps of the page: label, link, and true if the step is marked as done. */
const stepsOf = ({ root }: Page) =>
  root.querySelectorAll('main ol.steps > li').map((step) => {
    const link = step.querySelector('a')
    return [link?.text.trim(), link?.getAttribute('href'), step.classList.contains('done')]
  })

test('the page about sign-in says that nothing is set up in a new team, and lists all steps', async () => {
  const { address, page } = await inTeam(service, 'owner', '/sign-in')
  expect(['domains', 'requirement', 'directory', 'groups', 'address'].map((id) => sectionOf(page, id))).toEqual([
    'No domains yet. View the domains',
    'Not required. View the requirement',
    'The directory has sent no users yet. View the directory',
    'No group decides the role and the products of its members. View the groups',
    undefined,
  ])
  expect(contentOf(page)).toContain('Set up the sign-in 0 of 4 done')
  expect(stepsOf(page)).toEqual([
    ['Add an identity provider', `${address}/new`, false],
    ['Verify a domain', `${address}/domains`, false],
    ['Test the sign-in', `${address}/new`, false],
    ['Require the sign-in', `${address}/requirement`, false],
  ])
})

test('the page about sign-in marks each step as done once it is, and then leaves the steps out', async () => {
  const { team, address, browser } = await inTeam(service, 'owner', '/sign-in')
  const openSteps = async () => stepsOf(await browser.open(address)).flatMap(([label, , isDone]) => (isDone ? [] : [label]))
  const id = await seedProvider(service, team)
  const added = await browser.open(address)
  expect(stepsOf(added).map(([, link, isDone]) => [link, isDone])).toEqual([
    [`${address}/domains`, false],
    [`${address}/${id}`, false],
    [`${address}/requirement`, false],
    [undefined, true],
  ])
  expect(contentOf(added)).toContain('1 of 4 done')
  expect(contentOf(added)).toContain('Done: Add an identity provider')
  const { id: domainId } = await createDomain(database, team, { verifiedAt: null })
  expect(await openSteps()).toEqual(['Verify a domain', 'Test the sign-in', 'Require the sign-in'])
  await prisma.teamDomain.update({ where: { id: domainId }, data: { verifiedAt: clock.now() } })
  expect(await openSteps()).toEqual(['Test the sign-in', 'Require the sign-in'])
  await prisma.identityProvider.update({ where: { id }, data: { testedAt: clock.now(), disabledAt: clock.now() } })
  expect(await openSteps()).toEqual(['Test the sign-in', 'Require the sign-in'])
  await prisma.identityProvider.update({ where: { id }, data: { disabledAt: null } })
  expect(await openSteps()).toEqual(['Require the sign-in'])
  const later = new Date(clock.now().getTime() + 86_400_000)
  await prisma.team.update({ where: { id: team.id }, data: { signInProviderId: id, signInRequiredAt: later } })
  const required = await browser.open(address)
  expect([stepsOf(required), contentOf(required).includes('Set up the sign-in')]).toEqual([[], false])
})

test('the page about sign-in says the state of domains, the requirement, the directory and groups', async () => {
  const { team, address, browser } = await inTeam(service, 'owner', '/sign-in')
  const id = await seedProvider(service, team, { name: 'Northwind', testedAt: clock.now() })
  const domain = (name: string) => `${name}.${team.slug}.example`
  await createDomain(database, team, { domain: domain('a') })
  await createDomain(database, team, { domain: domain('b'), verifiedAt: null, checkedAt: null })
  await createDomain(database, team, { domain: domain('c'), missingSince: clock.now() })
  await createDomain(database, team, { domain: domain('d'), verifiedAt: null, checkedAt: clock.now() })
  const token = await teamToken(database, team, { scopes: ['acct:team:scim'] })
  for (const displayName of ['Developers', 'Operators'])
    expect((await scim(service, token, 'POST', '/Groups', { displayName })).status).toBe(201)
  expect((await scim(service, token, 'POST', '/Users', { userName: `ada@${domain('a')}`, displayName: 'Ada' })).status).toBe(201)
  await prisma.groupRole.create({ data: { teamId: team.id, group: 'Developers', role: 'member', applications: [] } })
  const page = await browser.open(address)
  expect(['domains', 'requirement', 'directory', 'groups'].map((section) => sectionOf(page, section))).toEqual([
    `${domain('a')} Verified ${domain('b')} Pending ${domain('c')} Record missing ${domain('d')} Failed View the domains`,
    'Not required. View the requirement',
    'The directory has sent 1 user, whose membership it manages. View the directory',
    '2 groups from the directory. 1 group decides the role and the products of its members. View the groups',
  ])

  // The owner has no email address in these domains and keeps access.
  const requireFrom = async (signInRequiredAt: Date) => {
    await prisma.team.update({ where: { id: team.id }, data: { signInProviderId: id, signInRequiredAt } })
    return sectionOf(await browser.open(address), 'requirement')
  }
  const year = clock.now().getUTCFullYear()
  const mayOf = (each: number) => new Date(Date.UTC(each, 4, 3, 12))
  expect(await requireFrom(mayOf(year - 1))).toBe(`Required since 3 May ${year - 1}, through Northwind. View the requirement`)
  expect(await requireFrom(mayOf(year + 1))).toBe(`Required from 3 May ${year + 1}, through Northwind. View the requirement`)
})
