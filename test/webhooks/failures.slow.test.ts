import { afterAll, describe, expect, test } from 'vitest'
import { attendToFailing } from '../../schema/webhooks/failing.ts'
import { executeAs, operator } from '../support/service/in-process.ts'
import { useService } from '../support/service/service.ts'
import { startReceiver } from '../support/webhooks/receiver.ts'
import { attemptsOf, createWebhook, deliveriesOf, hookedTeam } from '../support/webhooks/webhook.ts'

const service = useService()
const { database, clock, mails } = service
const deliveries = deliveriesOf(service)
afterAll(() => deliveries.close())

const minute = 60_000

const hooked = ({ url }: { url: string }) => hookedTeam(service, url)
const attempts = (id: string) => attemptsOf(service, id)
const stateOf = (id: string) => database.prisma.webhook.findUniqueOrThrow({ where: { id } })

describe('an answer', () => {
  test.each<[string, Parameters<typeof startReceiver>[0], object]>([
    [
      'a redirect is a failure and is not followed',
      (response) => response.writeHead(302, { location: '/other' }).end(),
      { status: 302, result: 'failed' },
    ],
    [
      'a connection that is reset',
      (response) => response.socket?.resetAndDestroy(),
      { status: null, error: 'The connection was closed before there was a response.' },
    ],
    [
      'of 10 MB is read to 4 KB',
      (response) => response.writeHead(200).end('x'.repeat(10_000_000)),
      { result: 'delivered', responseBody: 'x'.repeat(4096) },
    ],
    [
      'that is cut counts by its status code',
      (response) => response.writeHead(200, { 'content-length': 100 }).write('the start', () => response.socket?.destroy()),
      { result: 'delivered', status: 200, error: null, responseBody: 'the start' },
    ],
    [
      'with NUL and bytes that are no text is kept without them',
      (response) => response.writeHead(200).end(Buffer.from([0, 65, 0xff])),
      { responseBody: 'A\ufffd' },
    ],
    [
      'of two lines of another protocol',
      (response) => response.socket?.end('HELO\r\n\r\n'),
      { status: null, error: 'The response is not one of HTTP.' },
    ],
  ])('%s', async (_, answer, expected) => {
    const { id, rename } = await hooked(await startReceiver(answer))
    await rename()
    await deliveries.deliver()
    expect((await attempts(id))[0]).toMatchObject(expected)
  })

  test('without a status code is a failure after 15 seconds, and one counts although its body never ends', async () => {
    const hanging = await hooked(await startReceiver(() => {}))
    const trickle = (status: number) =>
      startReceiver((response) => {
        response.writeHead(status).write('start')
        const timer = setInterval(() => response.write('.'), 1000)
        response.once('close', () => clearInterval(timer))
      })
    const [accepting, refusing] = [await hooked(await trickle(200)), await hooked(await trickle(503))]
    for (const { rename } of [hanging, accepting, refusing]) await rename()
    await deliveries.deliver()
    const [none, accepted, refused] = await Promise.all([hanging, accepting, refusing].map(async ({ id }) => (await attempts(id))[0]))
    expect(none).toMatchObject({ result: 'failed', status: null, error: 'There was no complete response within 15 seconds.' })
    const responseBody = expect.stringMatching(/^start\.{13,15}$/)
    expect(accepted).toMatchObject({ result: 'delivered', status: 200, error: null, responseBody })
    expect(refused).toMatchObject({ result: 'failed', status: 503, error: null, responseBody })
    for (const attempt of [none, accepted, refused]) expect(attempt?.latencyMilliseconds).toBeGreaterThan(14_500)
    // The success is not delivered again, and ends the failure of the webhook.
    expect(await database.prisma.webhookRetry.count({ where: { webhookId: accepting.id } })).toBe(0)
    expect(await stateOf(accepting.id)).toMatchObject({ failingSince: null })
  })

  test('410 disables the webhook at once, as an event for the others and by mail to the owners', async () => {
    const gone = await startReceiver((response) => response.writeHead(410).end())
    const { id, team, owner, rename } = await hooked(gone)
    const other = await startReceiver()
    await createWebhook(service, team, other.url, ['webhook.disabled'])
    mails.length = 0
    await rename()
    await deliveries.deliver()
    expect(await stateOf(id)).toMatchObject({ disabledReason: 'gone' })
    expect(mails).toEqual([expect.objectContaining({ kind: 'webhook-disabled', userId: owner.id })])
    await rename()
    await deliveries.deliver()
    expect(gone.received).toHaveLength(1)
    expect(other.received.map(({ event }) => [event.type, event.actor, event.data])).toEqual([
      ['webhook.disabled', { kind: 'system', id: null, name: 'system' }, { webhook_id: id, reason: 'gone' }],
    ])
  })
})

describe('an endpoint that fails', () => {
  test('is named to the owners after a day, and disabled after three days in which ten events failed', async () => {
    const receiver = await startReceiver((response) => response.writeHead(503).end())
    const { id, owner, rename } = await hooked(receiver)
    for (let change = 0; change < 9; change++) await rename()
    await deliveries.deliver()
    mails.length = 0
    const attend = async (hours: number) => {
      clock.advance(hours * 60 * minute)
      await attendToFailing({ ...service, now: clock.now })
      return mails.splice(0).flatMap((mail) => ('userId' in mail && mail.userId === owner.id ? mail.kind : []))
    }
    expect(await attend(23)).toEqual([])
    expect(await attend(2)).toEqual(['webhook-failing'])
    expect(await attend(50)).toEqual([])
    expect(await stateOf(id)).toMatchObject({ disabledAt: null, failedEvents: 9 })
    await rename()
    await deliveries.deliver()
    expect(await attend(0)).toEqual(['webhook-disabled'])
    expect(await stateOf(id)).toMatchObject({ disabledReason: 'failing' })
    expect(await attend(48)).toEqual([])
  })

  test.each([
    ['from where it stopped', 'STOPPED', 4],
    ['from the present', 'PRESENT', 1],
  ])('continues %s when it is enabled again', async (_, continueFrom, delivered) => {
    let isDown = true
    const receiver = await startReceiver((response) => response.writeHead(isDown ? 500 : 200).end())
    const { id, rename } = await hooked(receiver)
    const update = (input: object) =>
      executeAs(service, operator, 'mutation ($input: UpdateWebhookInput!) { updateWebhook(input: $input) { webhook { state } } }', {
        input: { id, ...input },
      })
    await rename()
    await deliveries.deliver()
    await update({ enabled: false })
    for (let change = 0; change < 2; change++) await rename()
    clock.advance(minute)
    await deliveries.deliver()
    expect(receiver.received).toHaveLength(1)
    isDown = false
    receiver.received.length = 0
    const { data } = await update({ enabled: true, continueFrom })
    expect(data.updateWebhook.webhook.state).toBe('ENABLED')
    clock.advance(1000)
    await rename()
    await deliveries.deliver()
    expect(receiver.received).toHaveLength(delivered)
  })
})
