import { afterAll, expect, test } from 'vitest'
import { attendToFailing } from '../../../schema/webhooks/failing.ts'
import { contentOf, heading } from '../../support/account-site/page-content.ts'
import { sentBy } from '../../support/mail/sent.ts'
import { useService } from '../../support/service/service.ts'
import { ownedWebhook } from '../../support/webhooks/owned.ts'
import { deliveriesOf } from '../../support/webhooks/webhook.ts'

const service = useService()
const { database, clock, mails, sendMail } = service
const deliveries = deliveriesOf(service)
afterAll(() => deliveries.close())
const { messageOf } = sentBy(service)

const day = 86_400_000

test.each([
  ['webhook-failing', 500, 1, 'No delivery has succeeded since'],
  ['webhook-disabled', 500, 3, 'No delivery had succeeded for three days. Correct your endpoint'],
  ['webhook-disabled', 410, 0, 'The endpoint responded with 410 Gone'],
] as const)(
  'the link of the mail %s after %i leads to the page of the webhook, which says what to do',
  async (kind, status, days, text) => {
    const { owner, path, browser, rename } = await ownedWebhook(service, (response) => response.writeHead(status).end())
    for (let count = 0; count < 10; count++) await rename(`Name ${count}`)
    await deliveries.deliver()
    clock.advance(days * day)
    await attendToFailing({ database, now: clock.now, sendMail })
    const mail = mails.findLast((each) => each.kind === kind && 'userId' in each && each.userId === owner.id)
    const { text: plain } = await messageOf(mail)
    const [link = ''] = /http\S+\/webhooks\/\S+/.exec(plain) ?? []
    expect(new URL(link).pathname).toBe(path)
    const page = await browser.open(link)
    expect([heading(page)[0], contentOf(page)]).toEqual([200, expect.stringContaining(text)])
  },
)
