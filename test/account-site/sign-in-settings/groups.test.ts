import { describe, expect, test } from 'vitest'
import { contentOf, heading } from '../../support/account-site/page-content.ts'
import { inTeam, rowsOf, wrongOf } from '../../support/account-site/team.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const { prisma } = service.database
const groupsOf = (teamId: string) => prisma.groupRole.findMany({ where: { teamId }, orderBy: { group: 'asc' } })
const chosen = (...accessibleAppIds: string[]) => ({ access: 'chosen', accessibleAppIds })

describe('groups', () => {
  test('are added, listed, changed and removed without JavaScript', async () => {
    const { team, browser, page } = await inTeam(service, 'owner', '/sign-in')
    expect(contentOf(page)).toContain('Groups of your organization can decide')
    const empty = await browser.open(page.root.querySelector('main a[href$="/groups"]')?.getAttribute('href') ?? '')
    expect(contentOf(empty)).toContain('Without groups, owners decide')
    const name = '../Dév & <b>/x'
    const added = await browser.press(await browser.open(`${empty.url.pathname}/new`), 'Add group', {
      Group: name,
      role: 'BILLING',
      ...chosen('CERT', 'FLOW'),
    })
    expect([added.url.pathname, rowsOf(added)]).toEqual([empty.url.pathname, [[name, 'Billing', '2 products']]])
    expect(contentOf(added)).toContain('was added.')
    await browser.press(await browser.open(`${empty.url.pathname}/new`), 'Add group', { Group: 'Ops', role: 'MEMBER', access: 'all' })
    expect(contentOf(await browser.open(`/teams/${team.slug}/sign-in`))).toContain('2 groups decide')
    const form = await browser.open(added.root.querySelector('tbody a')?.getAttribute('href') ?? '')
    expect([heading(form)[0], form.root.querySelector('input[name=group]')?.getAttribute('value')]).toEqual([200, name])
    const changed = await browser.press(form, 'Save', { Group: 'Dev', role: 'MEMBER', ...chosen('CERT') })
    expect(rowsOf(changed)).toEqual([
      ['Dev', 'Member', 'Certificates'],
      ['Ops', 'Member', 'All products'],
    ])
    const one = await browser.open(changed.root.querySelector('tbody a')?.getAttribute('href') ?? '')
    const question = await browser.open(one.url.pathname + (one.root.querySelector('a.confirm')?.getAttribute('href') ?? ''))
    expect(contentOf(question)).toContain('Members who are in none of the other groups')
    const removed = await browser.press(question, 'Remove this group')
    expect(rowsOf(removed)).toEqual([['Ops', 'Member', 'All products']])
    expect(await groupsOf(team.id)).toMatchObject([{ group: 'Ops', role: 'member', allApplications: true }])
  })

  test.each([
    [{ Group: ' ', role: 'MEMBER', access: 'all' }, 'group', 'Enter a group.'],
    [{ Group: 'Ops', role: 'MEMBER', access: 'all' }, 'group', 'This group is already in the list.'],
    [{ Group: 'Dev', role: 'MEMBER', ...chosen() }, 'accessibleAppIds', 'Choose at least one product.'],
  ])('%j is refused at its field, and what was typed stays', async (fields, field, message) => {
    const { team, browser } = await inTeam(service, 'owner', '/sign-in')
    await prisma.groupRole.create({ data: { teamId: team.id, group: 'Ops', role: 'billing', allApplications: true } })
    const refused = await browser.press(await browser.open(`/teams/${team.slug}/sign-in/groups/new`), 'Add group', fields)
    expect([refused.status, wrongOf(refused, field)]).toEqual([422, message])
    expect(refused.root.querySelector('input[name=group]')?.getAttribute('value')).toBe(fields.Group)
    expect(await groupsOf(team.id)).toMatchObject([{ group: 'Ops', role: 'billing' }])
  })

  test('cannot make anybody an owner, whatever the form contains', async () => {
    const { team, browser } = await inTeam(service, 'owner', '/sign-in')
    const form = await browser.open(`/teams/${team.slug}/sign-in/groups/new`)
    expect(form.root.querySelector('input[value=OWNER]')).toBeNull()
    expect((await browser.press(form, 'Add group', { Group: 'Ops', role: 'OWNER', access: 'all' })).status).toBe(422)
    expect(await groupsOf(team.id)).toEqual([])
  })

  test('of which another owner removed one meanwhile are not changed', async () => {
    const { team, browser } = await inTeam(service, 'owner', '/sign-in')
    const key = { teamId: team.id, group: 'Ops' }
    await prisma.groupRole.create({ data: { ...key, role: 'billing', allApplications: true } })
    const list = await browser.open(`/teams/${team.slug}/sign-in/groups`)
    const form = await browser.open(list.root.querySelector('tbody a')?.getAttribute('href') ?? '')
    await prisma.groupRole.delete({ where: { teamId_group: key } })
    expect((await browser.press(form, 'Save', { role: 'MEMBER' })).status).toBe(404)
    expect((await browser.open(form.url.pathname)).status).toBe(404)
    expect(await groupsOf(team.id)).toEqual([])
  })
})
