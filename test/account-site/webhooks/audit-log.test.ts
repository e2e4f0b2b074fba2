import { expect, test } from 'vitest'
import { disableGone } from '../../../schema/webhooks/failing.ts'
import { contentOf, inTeam, rowsOf } from '../../support/account-site/team.ts'
import { executeAs, operator } from '../../support/service/in-process.ts'
import { useService } from '../../support/service/service.ts'
import { createWebhook } from '../../support/webhooks/webhook.ts'

const service = useService()
const { database, clock, sendMail } = service

// An unused port: a request to it fails at once.
const url = 'http://127.0.0.1:9/hook'

test('the audit log says what happened to webhooks, with their URLs and a link to the webhook', async () => {
  const { browser, team } = await inTeam(service, 'owner', '')
  const { id } = await createWebhook(service, team, url)
  const run = async (mutation: string, input: string) => {
    // The log is ordered by time.
    clock.advance(1000)
    const { refusal } = await executeAs(
      service,
      operator,
      `mutation ($id: ID!) { ${mutation}(input: { id: $id, ${input} }) { __typename } }`,
      {
        id,
      },
    )
    if (refusal) throw refusal
  }
  await run('updateWebhook', 'types: [INVOICE_PAID, TEAM_UPDATED]')
  await run('updateWebhook', 'enabled: false')
  await run('updateWebhook', 'enabled: true')
  await run('rotateWebhookSecret', 'overlapSeconds: 3600')
  await run('sendTestEvent', 'type: TEAM_UPDATED')
  await run('replayEvents', 'since: "2020-01-01T00:00:00Z", until: "2020-01-02T00:00:00Z"')
  clock.advance(1000)
  await disableGone({ database, now: clock.now, sendMail }, id)
  const path = `/teams/${team.slug}/audit-trail`
  expect(rowsOf(await browser.open(path)).map((row) => row[1])).toEqual([
    `disabled the webhook ${url}, whose endpoint responded with 410 Gone`,
    `replayed 0 events to the webhook ${url}`,
    `sent a test event to the webhook ${url}`,
    `rotated the secret of the webhook ${url}`,
    `enabled the webhook ${url}`,
    `disabled the webhook ${url}`,
    `changed the webhook ${url}`,
    `created the webhook ${url}`,
  ])

  const list = await browser.open(`${path}?action=UPDATE_WEBHOOK`)
  const page = await browser.open(list.root.querySelectorAll('a.entry').at(-1)?.getAttribute('href') ?? '')
  expect(rowsOf(page)).toEqual([['Events', 'all', 'team.updated, invoice.paid']])
  expect(page.root.querySelectorAll('main dd a').map((link) => link.getAttribute('href'))).toEqual([`/teams/${team.slug}/webhooks/${id}`])
  await run('deleteWebhook', '')
  expect(contentOf(await browser.open(path))).toContain(`deleted the webhook ${url}`)
})
