import { describe, expect, test } from 'vitest'
import { contentOf, openAs } from '../../support/account-site/page-content.ts'
import { rowsOf } from '../../support/account-site/team.ts'
import { join } from '../../support/data/team.ts'
import { createPerson } from '../../support/oauth/oauth.ts'
import { createGroups } from '../../support/scim/groups.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const { database } = service

/** A member whom the directory has sent, in a group that has a role or in none, and an owner on the page of the member. */
async function createContext({ isInGroup }: { isInGroup: boolean }) {
  const directory = await createGroups(service, { Billing: ['billing'] })
  const { team, provision, createGroup } = directory
  const ada = await provision('ada', { displayName: 'Ada Moreau' })
  if (isInGroup) await createGroup('Billing', [ada.id])
  const owner = await createPerson(database)
  await join(database, team, owner, 'owner')
  const path = `/teams/${team.slug}/members/${ada.id}`
  return { ...directory, ada, path, ...(await openAs(service, owner, path)) }
}

const rolesOn = ({ root }: Awaited<ReturnType<typeof createContext>>['page']) =>
  root.querySelectorAll('input[name=role]').map((input) => input.getAttribute('value'))

describe('the page of a member whose role the groups of the directory decide', () => {
  test('says so, leads to the directory and the groups, and offers no role', async () => {
    const { team, browser, page } = await createContext({ isInGroup: true })
    const content = contentOf(page)
    for (const text of ['Managed by directory', 'Managed by your directory', 'adds and removes this member'])
      expect(content).toContain(text)
    expect(rolesOn(page)).toEqual([])
    const links = page.root.querySelectorAll('main section a').map((link) => link.getAttribute('href'))
    for (const target of ['directory', 'groups']) expect(links).toContain(`/teams/${team.slug}/sign-in/${target}`)
    const rows = rowsOf(await browser.open(`/teams/${team.slug}/members`)).map((row) => row.join(' | '))
    expect(rows.filter((row) => row.includes('Managed'))).toEqual([expect.stringContaining('Ada Moreau')])
  })

  test('can make the member an owner, whom groups no longer manage', async () => {
    const { ada, browser, path, termsOf } = await createContext({ isInGroup: true })
    const question = await browser.open(`${path}?confirm=make-owner`)
    const page = await browser.press(question, 'Make owner')
    expect(contentOf(page)).toContain('Ada Moreau is now an owner.')
    expect(await termsOf(ada.id)).toMatchObject({ role: 'owner', managed: false })
    expect(rolesOn(page)).toEqual(['MEMBER', 'BILLING', 'OWNER'])
  })

  test('says that the directory can make a member again whom an owner removes, which it can', async () => {
    const { ada, browser, path, send, termsOf } = await createContext({ isInGroup: true })
    const question = await browser.open(`${path}?confirm=remove`)
    expect(contentOf(question)).toContain('Your directory can make them a member again.')
    await browser.press(question, 'Remove from the team')
    expect(await termsOf(ada.id)).toBeNull()
    const { body } = await send('GET', `/Users/${ada.id}`)
    expect(body.active).toBe(false)
    expect((await send('PUT', `/Users/${ada.id}`, { ...body, active: true })).status).toBe(200)
    expect(await termsOf(ada.id)).toMatchObject({ role: 'billing', managed: true })
  })
})

test('the page of a member from the directory without a group that has a role offers the role', async () => {
  const { page } = await createContext({ isInGroup: false })
  expect(contentOf(page)).toContain('It does not decide the role, as the member is in no group that has one.')
  expect(contentOf(page)).not.toMatch(/Managed by (?:your )?(?:directory|identity)/)
  expect(rolesOn(page)).toEqual(['MEMBER', 'BILLING', 'OWNER'])
})

test('the page of a member whom the directory has not sent does not name it', async () => {
  const { owner, browser, path } = await createContext({ isInGroup: false })
  const page = await browser.open(path.replace(/[^/]+$/, owner.id))
  expect(contentOf(page).toLowerCase()).not.toContain('directory')
})

test('a member sees who manages another one, without links to settings', async () => {
  const { team, path } = await createContext({ isInGroup: true })
  const member = await createPerson(database)
  await join(database, team, member, 'member')
  const { page } = await openAs(service, member, path)
  expect(contentOf(page)).toContain('Managed by directory')
  expect(page.root.querySelector('main a[href*="/sign-in/"]')).toBeNull()
})
