import { beforeAll, describe, expect, test } from 'vitest'
import type { User } from '../../../prisma/generated/client/client.ts'
import { alertOf, contentOf, heading, noticeOf } from '../../support/account-site/page-content.ts'
import type { Page } from '../../support/browser/browser.ts'
import { openAsStaff } from '../../support/account-site/staff-browser.ts'
import { createTeam, createUser, join } from '../../support/data/team.ts'
import { addWaitingMail, createWaitingMail } from '../../support/mail/waiting-mail.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const { database, mails } = service
let user: User
let mailId: string
beforeAll(async () => {
  user = await createUser(database)
  mailId = await createWaitingMail(service, user)
  await createWaitingMail(service, await createUser(database))
})

/** The recipients and the other cells of the rows. */
const rowsOf = ({ root }: Page) => root.querySelectorAll('.rows tbody tr').map((row) => row.text.replace(/\s+/g, ' ').trim())
const fail = (output: object) => database.pool.query(`UPDATE pgboss.job SET state = 'failed', output = $2 WHERE id = $1`, [mailId, output])

describe('the list of emails', () => {
  test('finds the emails to a user by identifier and by email address, and those of a state', async () => {
    const { browser } = await openAsStaff(service)
    expect(rowsOf(await browser.open('/staff/mails'))).toHaveLength(2)
    for (const query of [`user=${user.id}`, `search=${user.email}`, `search=${user.id}`]) {
      const page = await browser.open(`/staff/mails?${query}`)
      expect(rowsOf(page)).toEqual([expect.stringContaining('Two-factor authentication on')])
      expect(contentOf(page)).toContain('1 email found')
    }
    expect(rowsOf(await browser.open(`/staff/mails?user=${user.id}&state=SENT`))).toEqual([])
    expect(rowsOf(await browser.open(`/staff/mails?user=${user.id}&state=PENDING`))).toHaveLength(1)
    for (const query of ['state=WRONG', 'page=0', 'size=7', 'sort=kind'])
      expect(rowsOf(await browser.open(`/staff/mails?${query}`))).toHaveLength(2)
    for (const query of ['search=%00', `search=${'x'.repeat(300)}`, 'page=999999999'])
      expect((await browser.open(`/staff/mails?${query}`)).status).toBe(200)
  })

  test('takes at most eight statements', async () => {
    const { browser } = await openAsStaff(service)
    for (const path of ['/staff/mails', `/staff/mails?user=${user.id}`, `/staff/mails/${mailId}`]) {
      service.statements.length = 0
      expect((await browser.open(path)).status).toBe(200)
      expect(service.statements.filter((text) => !/last_used_at = u\.at/.test(text)).length).toBeLessThanOrEqual(8)
    }
  })
})

describe('the page of an email', () => {
  test('shows the recipient and the last error, and leads to the user', async () => {
    await fail({ error: '550 5.1.1 <b>No such user</b>' })
    const { browser } = await openAsStaff(service)
    const page = await browser.open(`/staff/mails/${mailId}`)
    expect(heading(page)).toEqual([200, expect.stringContaining('Two-factor authentication on')])
    expect(page.root.querySelector(`main a[href="/staff/users/${user.id}"]`)).not.toBeNull()
    expect(contentOf(page)).toContain('550 5.1.1 &lt;b>No such user&lt;/b>')
    expect(page.root.querySelectorAll('a.confirm')).toEqual([])
    for (const id of ['00000000-0000-4000-8000-000000000000', 'x']) expect((await browser.open(`/staff/mails/${id}`)).status).toBe(404)
  })

  test('sends it again for a reason', async () => {
    await fail({ error: '450 mailbox busy' })
    const { browser } = await openAsStaff(service, 'support')
    const count = mails.length
    const page = await browser.press(await browser.open(`/staff/mails/${mailId}`), 'Send again', { Reason: 'Ticket 4711' })
    expect(noticeOf(page)).toEqual([200, 'The email is sent again.'])
    expect(contentOf(page)).toContain('Waiting')
    expect(mails.slice(count)).toMatchObject([{ kind: 'act-of-staff', userId: user.id }])
  })

  test('does not send again an email to the own account', async () => {
    const { browser, user: staff } = await openAsStaff(service, 'support')
    const own = await createWaitingMail(service, staff)
    const refused = await browser.press(await browser.open(`/staff/mails/${own}`), 'Send again', { Reason: 'Ticket 4711' })
    expect(alertOf(refused)[0]).toBe(403)
  })

  test('leads to the team of an email about a deleted team', async () => {
    const team = await createTeam(database)
    await join(database, team, user, 'owner')
    const own = { teamId: team.id }
    const id = await addWaitingMail(service, { kind: 'team-deleted', recipient: user.email, actor: null, at: 'x', until: 'x', ...own }, own)
    const { browser } = await openAsStaff(service)
    const page = await browser.open(`/staff/mails/${id}`)
    expect(page.root.querySelector(`main a[href="/staff/teams/${team.slug}"]`)).not.toBeNull()
  })
})
